/** Defines the records of memory entries and of their changes (MEM-1). */
import type { HeldChat } from '@chat-kernel/kernel';
import type { MemoryEntry, MemoryProposal } from '@chat-kernel/protocol';

/** The name of the feature, of its tool and of its state. */
export const MEMORY = 'memory';

export interface MemoryRecord extends MemoryEntry {
  /** The turn in which a model wrote it. */
  turn_id: string | null;
}

/** A text that a model wants to remember, and that is in no prompt until the owner accepts it (CONSENT-4). */
export type ProposalRecord = Omit<MemoryProposal, 'proposed'>;

/** A version of an entry: its id, and the time of its text. */
export type MemoryRef = readonly [id: string, updated_at: string];

/** The change that a model requests. It names entries by their ids, or by the short ids in its context. */
export interface MemoryWish {
  add?: string | undefined;
  replace?: { id: string; text: string } | undefined;
  remove?: readonly string[] | undefined;
}

/** A change of the memory, as one transaction. */
export interface MemoryChange {
  /** New entries. */
  add?: readonly MemoryRecord[];
  /** Changed entries, each with its earlier version. */
  rewrite?: readonly { was: MemoryRecord; entry: MemoryRecord }[];
  /** Ids of entries to delete. */
  remove?: readonly string[];
  /** Ids of proposals to delete. */
  settle?: readonly string[];
  /** New proposals. */
  propose?: readonly ProposalRecord[];
  /** The chat whose turn makes the change; absent if the owner makes it. */
  writer?: HeldChat;
}
