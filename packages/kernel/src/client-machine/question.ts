/** Determines whether an operation needs a question, with the decisions that it offers, and what an approval would cover. */
import {
  type Effect,
  factsOfDecision,
  isEditBelow,
  prefixCovers,
  prefixWords,
  type Reach,
  type Settings,
} from '@chat-kernel/protocol';
import { type ConsentFacts, type Coverage, decide, type Question } from '../consent/decide.ts';
import type {
  ChatRecord,
  NewRequest,
  NotedEdit,
  RequestChannel,
  RequestHandle,
  SandboxKind,
  ScheduleGrant,
  TurnParameters,
} from '../ports/index.ts';
import type { Grants } from './grants.ts';
import { isFileEdit, type Permission } from './permission.ts';
import type { QuestionQueue } from './question-queue.ts';
import type { WholeCall } from './whole-call.ts';

/** The context of a turn for all of its operations. */
export interface ApprovalContext {
  /** The current chat: an earlier call of the turn may have changed it. */
  chat(): Pick<ChatRecord, 'consent' | 'id' | 'workdir'>;
  /** The sources of text that the turn has read and the owner did not write. */
  outside(): readonly string[];
  /** The client that must execute; undefined: any client with hands (EV-15), or the kernel itself. */
  client_id: string | undefined;
  /** The calls that the schedule of the turn allows. */
  scheduled?: readonly ScheduleGrant[] | undefined;
  /** The stand-by machine that must execute, instead of a client that reads the turn's stream. */
  standby?: StandBy | undefined;
  /** The setting `tools.secret_paths`, which also counts for the machine of a client. */
  secret_paths?: readonly string[];
  /** The sub-agent that asks (OP-7). */
  agent?: string | undefined;
  /** True if the speaker is the master or a trusted person. For others, grants do not apply and are not created. */
  trusted: boolean;
  grants: Grants;
  /** The order of the questions of the turn; absent: there is only one. */
  questions?: QuestionQueue;
  /** The tool call of the operations, if its client wants one question for all of them (HANDS-7). */
  whole?: WholeCall | undefined;
  /** Records each write before it is requested; absent: writes cannot be undone. */
  edits?: EditNotes | undefined;
  /** The time in seconds that an operation may wait for a person to decide. */
  timeout_secs: number;
  /** How long a request for consent waits; absent: `timeout_secs`. */
  consent?: Pick<NewRequest, 'timeout_secs' | 'unattended_timeout_secs'>;
  request(opening: NewRequest): RequestHandle;
}

/** Records the edits that a call makes on a client's machine (UNDO-1). */
export interface EditNotes {
  begin(edit: Pick<NotedEdit, 'op_id' | 'path' | 'client_id' | 'hands'>): Promise<void>;
  refused(opId: string): Promise<void>;
}

/** A stand-by machine as the target of operations. */
export interface StandBy {
  readonly name: string;
  /** Its client, once the machine has connected. @throws Unanswered if it does not connect in time */
  client(): Promise<string>;
  /**
   * The channel for one operation. `failure`: why it failed, if not because of a timeout. `sandbox`: that of the machine's
   * commands, if it reports one.
   */
  way(clientId: string): {
    channel: RequestChannel;
    failure(): string | undefined;
    sandbox: SandboxKind | undefined;
  };
}

export interface OperationRequest {
  action: string;
  params: Readonly<Record<string, unknown>>;
  /** `server`: the kernel executes, once the user permits it. */
  on: 'client' | 'server';
  timeout_secs: number;
  /** The host, directory or file that a grant is limited to. */
  target?: string | undefined;
  /** The group or address that the operation sends to, if it has no `target`. */
  recipient?: string | undefined;
  /** The outside source that would receive the operation (CONSENT-4). */
  source?: string | undefined;
  /** Facts about the operation itself, besides those of the chat, the turn and its grants. */
  facts?: OperationFacts;
}

type OperationFacts = Partial<
  Omit<ConsentFacts, 'consent' | 'grant' | 'isGrantedBySchedule' | 'machineName' | 'outside' | 'trusted'>
>;

const EFFECTS: Readonly<Record<string, readonly Effect[]>> = {
  shell: ['execute'],
  write: ['write'],
  write_bytes: ['write'],
  undo: ['write'],
};

/** The question to ask, with the decisions to offer; undefined if the operation runs without one. */
export function questionFor(asking: ApprovalContext, operation: OperationRequest): Question {
  const permission = permissionFor(asking, operation);
  // The owner has allowed calls to the receiver, so its words may go back to it.
  const outside = asking.outside().filter(source => source !== operation.source);
  const given = {
    grant: asking.grants.covers(permission, outside),
    isScheduled: isScheduled(asking, operation),
  };
  const question = decide(factsFor(asking, operation, given));
  if (question === undefined) return undefined;
  const decisions = question.decisions.filter(decision => {
    const facts = factsOfDecision(decision);
    return facts !== undefined && CAN_REACH[facts.reach](permission);
  });
  return { ...question, decisions };
}

/** Whether the operation runs only because the approval of a prefix, or a grant of its schedule, covers it. */
export const isByPrefix = (asking: ApprovalContext, operation: OperationRequest): boolean =>
  (asking.grants.coversOnlyByPrefix(permissionFor(asking, operation)) || isScheduled(asking, operation)) &&
  decide(factsFor(asking, operation, { grant: 'no', isScheduled: false })) !== undefined;

const effectsOf = ({ action, facts }: OperationRequest) => facts?.effects ?? EFFECTS[action] ?? ['read'];

const isScheduled = (asking: ApprovalContext, operation: OperationRequest): boolean =>
  allowedBySchedule(asking.scheduled, {
    tool: operation.facts?.tool ?? operation.action,
    effects: effectsOf(operation),
    permission: permissionFor(asking, operation),
    recipient: operation.recipient,
  });

const factsFor = (
  asking: ApprovalContext,
  operation: OperationRequest,
  { grant, isScheduled }: { grant: Coverage; isScheduled: boolean },
): ConsentFacts => ({
  tool: operation.action,
  machine: operation.on === 'client' ? 'client' : 'kernel',
  ...operation.facts,
  effects: effectsOf(operation),
  machineName: asking.standby?.name,
  consent: asking.chat().consent,
  trusted: asking.trusted,
  outside: asking.outside(),
  grant,
  isGrantedBySchedule: isScheduled,
});

/**
 * The operations to which a decision applies, by its reach. Older clients skip decisions that they do not know
 * (HANDS-7).
 */
const CAN_REACH: Readonly<Record<Reach, (permission: Permission) => boolean>> = {
  same: () => true,
  prefix: ({ command }) => command !== undefined && prefixWords(command).length > 0,
  edits: permission => permission.target === undefined && isFileEdit(permission),
};

/**
 * The permission that an approval of the operation would grant: this action, by this client, on this machine, in this
 * directory (HANDS-6).
 */
export function permissionFor(
  { chat, client_id, standby }: ApprovalContext,
  { action, params, on, target }: OperationRequest,
): Permission {
  const { id: chat_id, workdir } = chat();
  const command = action === 'shell' ? String(params.command) : undefined;
  const path = typeof params.path === 'string' ? params.path : undefined;
  const hands = on === 'client' ? standby?.name : undefined;
  // Only commands and edits depend on the working directory: a call of a module or a server does not.
  const isPlaced = on === 'client' || action === 'shell' || action === 'write';
  const place = { workdir: isPlaced ? workdir : null, workdir_on: on, client_id, hands };
  return { chat_id, action, command, path, ...place, target };
}

/** In turns of schedules, and of modules such as mail, people may read the request hours later. */
export function consentTimeouts(
  settings: Settings['requests'],
  { schedule, anchor }: Pick<TurnParameters, 'schedule' | 'anchor'>,
): NonNullable<ApprovalContext['consent']> {
  const { consent_timeout_secs, client_op_timeout_secs, question_timeout_secs } = settings;
  const isSlow = schedule !== undefined || anchor?.module !== undefined;
  return {
    timeout_secs: consent_timeout_secs ?? (isSlow ? question_timeout_secs : client_op_timeout_secs),
    unattended_timeout_secs: settings.unattended_timeout_secs,
  };
}

interface ScheduledOperation {
  /** The name of the tool. */
  tool: string;
  effects: readonly Effect[];
  permission: Pick<Permission, 'command' | 'path' | 'target'>;
  /** The group or address that the operation sends to, if it is not about an address in the web. */
  recipient?: string | undefined;
}

export const allowedBySchedule = (
  grants: readonly ScheduleGrant[] | undefined,
  operation: ScheduledOperation,
): boolean => grants?.some(grant => grant.tool === operation.tool && hasTarget(grant, operation)) ?? false;

/** A grant without a target covers no call that sends something, even if the tool did not when it was given. */
function hasTarget(
  { target }: ScheduleGrant,
  { effects, permission, recipient }: ScheduledOperation,
): boolean {
  if (target === null) return !effects.includes('send');
  const { command, path, target: place = recipient } = permission;
  if (command !== undefined) return prefixCovers(target, command);
  if (place !== undefined) return place === target || isDirectoryBelow(place, target);
  return path !== undefined && (path === target || isEditBelow(target, path));
}

/** Directories to read end with a slash. */
const isDirectoryBelow = (place: string, target: string): boolean =>
  place.endsWith('/') && place.startsWith(target.endsWith('/') ? target : `${target}/`);
