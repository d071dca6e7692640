/**
 * Decides whether an operation runs, or asks its owner first, and why (WHO-6, CONSENT-3 to CONSENT-8). This is the only
 * place that decides: all others collect facts.
 */
import {
  type Consent,
  DECISION_FACTS,
  DECISIONS,
  type Decision,
  type Effect,
  EXCEPTION_REASONS,
  isLasting,
} from '@chat-kernel/protocol';

/**
 * Whether grants cover an operation. `knowingly`: also after its turn has read text from outside, because the dialog
 * named these sources (CONSENT-4).
 */
export type Coverage = 'no' | 'yes' | 'knowingly';

/** Settles a rule: a grant of the chat, or one of the schedule that started the turn. */
type Settler = Coverage | 'schedule';

export interface ConsentFacts {
  /** The name of the tool, for the reason. */
  tool: string;
  effects: readonly Effect[];
  /** The machine that is read or changed; none: a module or a server acts. */
  machine: 'client' | 'kernel' | 'none';
  /** The name of the stand-by machine. */
  machineName?: string | undefined;
  consent: Consent;
  /** Whether the speaker is the master or a trusted person. For others, grants neither apply nor are created. */
  trusted: boolean;
  /** The sources of text that the turn has read and the owner did not write. */
  outside: readonly string[];
  /** A source that does not make this operation ask: without a sandbox, the output of commands for further commands. */
  ownSource?: string | undefined;
  /** Whether grants cover the operation. */
  grant: Coverage;
  /** The owner has allowed the call in the schedule that started the turn (CONSENT-4). */
  isGrantedBySchedule?: boolean;
  /** Settings name the tool or its group with `ask`. */
  isNamedBySettings?: boolean;
  /** The operation only reads names, or is part of an approved whole. */
  isSilent?: boolean;
  /** The caller asks each time: the next action has another recipient and other text. */
  isUnique?: boolean;
  /** The file is in a place for keys and passwords. */
  isSecret?: boolean;
  /** The file can run programs, or changes how programs behave later; a command may write such files. */
  isProtected?: boolean;
  /** The file is outside of the working directory, and no upload. */
  isElsewhere?: boolean;
  /** The chat is to work in a directory outside of its working directory. */
  isNewWorkdir?: boolean;
  /** No sandbox works, and the owner has not set a working directory on this machine. */
  isUnconfined?: boolean;
  /** A command in the sandbox connects to a host that the settings do not list. */
  isConnection?: boolean;
  /** The command is to run without the sandbox. */
  isOutsideSandbox?: boolean;
  /** The tool belongs to an MCP server. */
  isOfServer?: boolean;
  /** The address was written by the owner, or found by a search or on a fetched page. */
  isKnownAddress?: boolean;
}

/** Undefined: the operation runs. */
export type Question = { reason: string; decisions: readonly Decision[] } | undefined;

interface Rule {
  /** One sentence for the owner. */
  reason(facts: ConsentFacts): string;
  applies(facts: ConsentFacts): boolean;
  /** The grants with which the rule does not ask. */
  settledBy: readonly Settler[];
  /** Whether it also holds in chats with the consent `never`. */
  holdsAlways?: true;
}

const BY_ANY: readonly Settler[] = ['yes', 'knowingly', 'schedule'];
/** The grants of a schedule cover no places that need a decision about one file. */
const BY_APPROVAL: readonly Settler[] = ['yes', 'knowingly'];
const BY_NAMED_SOURCES: readonly Settler[] = ['knowingly', 'schedule'];

const has = (effect: Effect, { effects }: ConsentFacts): boolean => effects.includes(effect);

/** Whether a call may send something. Fetching an address that was seen before tells its host nothing new. */
const sends = (facts: ConsentFacts): boolean => has('send', facts) && !facts.isKnownAddress;

/** Sources for a sentence: at most three by name. */
function listSources(outside: readonly string[]): string {
  const named = outside.slice(0, 3).join(', ');
  return outside.length > 3 ? `${named} and ${outside.length - 3} more` : named;
}

function aboutMachine(facts: ConsentFacts): string {
  const { machineName = 'of the client' } = facts;
  if (has('execute', facts)) return `A command is to run on the machine ${machineName}.`;
  return `A file is to be ${has('write', facts) ? 'changed' : 'read'} on the machine ${machineName}.`;
}

/** The first rule that applies and that no grant settles gives the reason. */
const RULES: readonly Rule[] = [
  {
    reason: () => 'A module wants to do something outside of this chat.',
    applies: ({ isUnique = false }) => isUnique,
    settledBy: ['schedule'],
    holdsAlways: true,
  },
  {
    reason: () => 'This is a place for keys and passwords.',
    applies: ({ isSecret = false }) => isSecret,
    settledBy: BY_APPROVAL,
    holdsAlways: true,
  },
  {
    reason: () => EXCEPTION_REASONS.outside_sandbox,
    applies: ({ isOutsideSandbox = false }) => isOutsideSandbox,
    settledBy: BY_ANY,
    holdsAlways: true,
  },
  {
    reason: ({ tool }) => `The settings require a question before each call of ${tool}.`,
    applies: ({ isNamedBySettings = false }) => isNamedBySettings,
    settledBy: BY_ANY,
    holdsAlways: true,
  },
  {
    reason: facts => aboutMachine(facts),
    applies: ({ machine, isSilent = false }) => machine === 'client' && !isSilent,
    settledBy: BY_ANY,
    holdsAlways: true,
  },
  {
    reason: facts =>
      has('execute', facts)
        ? EXCEPTION_REASONS.protected
        : 'This file can run programs, or change how they behave later.',
    applies: ({ isProtected = false }) => isProtected,
    settledBy: BY_APPROVAL,
  },
  {
    reason: ({ tool, outside }) =>
      `${tool} sends something out, and this turn has read text from ${listSources(outside)}.`,
    applies: facts => facts.outside.some(source => source !== facts.ownSource) && sends(facts),
    settledBy: BY_NAMED_SOURCES,
  },
  {
    reason: ({ tool, outside }) =>
      `${tool} keeps something beyond this chat, and this turn has read text from ${listSources(outside)}.`,
    applies: facts => facts.outside.length > 0 && has('remember', facts),
    settledBy: BY_NAMED_SOURCES,
  },
  {
    reason: () => 'This directory is outside of the working directory.',
    applies: ({ isNewWorkdir = false }) => isNewWorkdir,
    settledBy: BY_ANY,
  },
  {
    reason: ({ outside }) =>
      `A command wants to reach this host, and this turn has read text from ${listSources(outside)}.`,
    applies: ({ outside, isConnection = false }) => outside.length > 0 && isConnection,
    settledBy: BY_ANY,
  },
  {
    reason: () => 'No sandbox works on this computer, and you have not set a working directory.',
    applies: facts =>
      facts.machine === 'kernel' &&
      facts.isUnconfined === true &&
      (has('write', facts) || has('execute', facts)),
    settledBy: BY_ANY,
  },
  {
    reason: () => 'This chat asks before a command runs on this computer.',
    applies: facts => facts.consent === 'ask' && facts.machine === 'kernel' && has('execute', facts),
    settledBy: BY_ANY,
  },
  {
    reason: () => 'This chat asks before a file is changed on this computer.',
    applies: facts => facts.consent === 'ask' && facts.machine === 'kernel' && has('write', facts),
    settledBy: BY_ANY,
  },
  {
    reason: () => 'This file is outside of the working directory.',
    applies: ({ consent, isElsewhere = false }) => consent === 'ask' && isElsewhere,
    settledBy: BY_ANY,
  },
  {
    reason: ({ tool }) => `This chat asks before ${tool} sends something out.`,
    applies: facts => facts.consent === 'ask' && facts.machine !== 'client' && sends(facts),
    settledBy: BY_ANY,
  },
  {
    reason: ({ tool }) => `This chat asks before ${tool} changes something on its server.`,
    applies: ({ consent, isOfServer = false, effects }) =>
      consent === 'ask' && isOfServer && effects.some(effect => effect !== 'read'),
    settledBy: BY_ANY,
  },
];

/** The question to ask, with all decisions that do not depend on what is asked; undefined if the operation runs. */
export function decide(facts: ConsentFacts): Question {
  const settlers: readonly Settler[] = facts.trusted
    ? [facts.grant, ...(facts.isGrantedBySchedule ? (['schedule'] as const) : [])]
    : [];
  const rule = RULES.find(
    ({ applies, settledBy, holdsAlways = false }) =>
      (holdsAlways || facts.consent !== 'never') &&
      applies(facts) &&
      !settledBy.some(each => settlers.includes(each)),
  );
  if (rule === undefined) return undefined;
  return { reason: rule.reason(facts), decisions: DECISIONS.filter(decision => isOffered(decision, facts)) };
}

function isOffered(decision: Decision, { trusted, isUnique, isOutsideSandbox }: ConsentFacts): boolean {
  if (!isLasting(decision)) return true;
  // A prefix is limited by what its program may do without the sandbox, an exact command is not.
  return trusted && !isUnique && (!isOutsideSandbox || DECISION_FACTS[decision].reach === 'prefix');
}
