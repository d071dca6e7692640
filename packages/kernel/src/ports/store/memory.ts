/** The memory: entries that every chat is told (MEM-1). */
import type { MemoryEntry } from '@chat-kernel/protocol';

export interface MemoryRecord extends MemoryEntry {
  /** The turn in which a model wrote it. */
  turn_id: string | null;
}

/** An entry as it was at a time: its id, and when it got its text. */
export type MemoryRef = readonly [id: string, updated_at: string];

/** What a model wants changed. Entries are named by their ids, or by the beginnings that it is told. */
export interface MemoryWish {
  add?: string | undefined;
  replace?: { id: string; text: string } | undefined;
  remove?: readonly string[] | undefined;
}

/** A change of the memory, as one transaction. */
export interface MemoryChange {
  /** New entries. */
  add?: readonly MemoryRecord[];
  /** Entries that change, each with what it was. */
  rewrite?: readonly { was: MemoryRecord; entry: MemoryRecord }[];
  /** Ids of entries that go. */
  remove?: readonly string[];
  /** The chat whose turn makes it, see ChatWrite for `epoch`; absent: the owner does. */
  writer?: { chat_id: string; epoch?: number | undefined };
}

export interface MemoryStore {
  /** The oldest first. */
  list(): Promise<MemoryRecord[]>;
  /** False where an entry that was to change is not any more what it was, or is gone: nothing is changed then. */
  change(change: MemoryChange): Promise<boolean>;
}
