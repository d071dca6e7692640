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
