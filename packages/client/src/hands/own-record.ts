/**
 * What the owner of this machine has allowed here for longer than one operation. A kernel that no longer asks says that a
 * grant covers an operation; only where this record agrees is it done unasked, for whoever reaches the kernel's API could
 * have given the grant (HANDS-6).
 */
import type { Operation } from '../api/operation.ts';
import type { Choice, LastingDecision } from './approval.ts';

/** The directory in which the hands work is the same for all operations of a record. */
export interface OwnRecord {
  /** Whether the owner has allowed such operations here. */
  covers(operation: Operation): boolean;
  /**
   * Keeps a decision of the owner: `allow_session` for this process, the others for later ones too, where it can. A record
   * may leave out those that reach beyond the one operation: its owner is then asked again.
   */
  give(choice: LastingChoice, operation: Operation): void;
}

export type LastingChoice = Choice & { decision: LastingDecision };

/** A record that ends with the process, of decisions about the one operation. */
export class RecordInMemory implements OwnRecord {
  readonly #given = new Set<string>();

  covers(operation: Operation): boolean {
    return this.#given.has(subjectOf(operation));
  }

  give({ decision }: LastingChoice, operation: Operation): void {
    if (decision === 'allow_session' || decision === 'allow_always') this.#given.add(subjectOf(operation));
  }
}

/** A text that is the same for all operations that one decision covers: of `shell` the exact command and its directory. */
export function subjectOf({ chat_id, action, params }: Operation): string {
  const { command, workdir } = action === 'shell' ? params : {};
  return JSON.stringify([chat_id, action, command ?? null, workdir ?? null]);
}
