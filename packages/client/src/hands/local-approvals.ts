/**
 * Stores what the owner of this machine has allowed for longer than one operation. If the kernel no longer asks, it
 * reports that a grant covers the operation. The operation runs without a question only if this record agrees, because
 * the grant may come from anyone with access to the kernel's API (HANDS-6).
 */
import {
  factsOfDecision,
  isLasting,
  isSecretRead,
  type LastingDecision,
  prefixCovers,
  prefixWords,
  type Reach,
  sandboxException,
} from '@chat-kernel/protocol/tables';
import type { Operation } from '../api/operation.ts';
import type { Choice } from './approval.ts';

/** All operations of a record share the directory in which the hands work. */
export interface LocalApprovals {
  /** True if the owner has allowed such operations here. */
  covers(operation: Operation): boolean;
  /** True if such a command is only covered by a prefix, so that its words are not those that the owner saw. */
  coversByPrefix?(operation: Operation): boolean;
  /**
   * Stores a decision of the owner for as long as the table of decisions says, or shorter. A record may end with its
   * process, and it may omit decisions that apply to more than one operation; the owner is then asked again.
   */
  give(choice: LastingChoice, operation: Operation): void;
}

export type LastingChoice = Choice & { decision: LastingDecision };

/** A record that ends with the process, for decisions about single operations. */
export class MemoryApprovals implements LocalApprovals {
  readonly #subjects = new Set<string>();

  covers(operation: Operation): boolean {
    return this.#subjects.has(approvalSubject(operation));
  }

  give({ decision }: LastingChoice, operation: Operation): void {
    if (isLasting(decision) && factsOfDecision(decision)?.reach === 'same')
      this.#subjects.add(approvalSubject(operation));
  }
}

/**
 * Returns a text that is equal for all operations that one decision covers: for `shell` the exact command and its
 * directory, and whether it leaves the sandbox; for a secret place its path.
 */
export function approvalSubject({ chat_id, action, params }: Operation): string {
  const { command, workdir } = action === 'shell' ? params : {};
  const special = isSecretRead(action, params.path) ? params.path : sandboxException(params);
  return JSON.stringify([chat_id, action, command ?? null, workdir ?? null, ...(special ? [special] : [])]);
}

interface SubjectStore {
  isGiven(subject: string): boolean;
  give(subject: string, decision: LastingDecision): void;
  /** Whether a decision about edits covers a write of this path. */
  isEdit(path: string): boolean;
}

/** A record that also has decisions that cover more than their operation (HANDS-7). */
export function approvalRecord({ isGiven, give, isEdit }: SubjectStore): LocalApprovals {
  const isReached = (operation: Operation) => widerSubjects(operation, isEdit).some(isGiven);
  return {
    covers: operation => isGiven(approvalSubject(operation)) || isReached(operation),
    coversByPrefix: operation =>
      operation.action === 'shell' && !isGiven(approvalSubject(operation)) && isReached(operation),
    give({ decision, prefix = '' }, operation) {
      // Unknown decisions of newer kernels are not stored.
      const facts = factsOfDecision(decision);
      if (facts) give(SUBJECTS[facts.reach](operation, prefix), decision);
    },
  };
}

/** The subject of a decision by its reach. */
const SUBJECTS: Readonly<Record<Reach, (operation: Operation, prefix: string) => string>> = {
  same: approvalSubject,
  prefix: (operation, prefix) => {
    const words = prefix.split(/[ \t]/).filter(word => word !== '');
    return beginningWith(words, operation);
  },
  edits: operation => editsIn(operation),
};

/** The subjects of all decisions that would cover this operation. */
function widerSubjects(operation: Operation, isEdit: SubjectStore['isEdit']): string[] {
  const { action, params } = operation;
  if (action === 'shell' && typeof params.command === 'string') {
    const { command } = params;
    const words = prefixWords(command);
    const prefixes = words.map((_, index) => words.slice(0, index + 1));
    return prefixes
      .filter(each => prefixCovers(each.join(' '), command))
      .map(each => beginningWith(each, operation));
  }
  return action === 'write' && typeof params.path === 'string' && isEdit(params.path)
    ? [editsIn(operation)]
    : [];
}

function beginningWith(words: readonly string[], { chat_id, params }: Operation): string {
  const exception = sandboxException(params);
  const subject = ['prefix', chat_id, words, params.workdir ?? null];
  return JSON.stringify(exception === undefined ? subject : [...subject, exception]);
}

const editsIn = ({ chat_id }: Operation): string => JSON.stringify(['edits', chat_id]);
