/** The entries of the memory, as they are made and shown. */
import type { MemoryEntry } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { MemoryChange, MemoryRecord } from '../ports/index.ts';

/** The turn that writes; null: the owner does. */
export type Writer = { chat_id: string; turn_id: string | null; epoch: number | undefined } | null;

export const fresh = (text: string, writer: Writer, now: string): MemoryRecord => ({
  id: uuidv4(),
  text: text.trim(),
  created_at: now,
  updated_at: now,
  chat_id: writer?.chat_id ?? null,
  turn_id: writer?.turn_id ?? null,
});

export const rewritten = (entry: MemoryRecord, text: string, now: string): MemoryRecord => ({
  ...entry,
  text: text.trim(),
  updated_at: now,
});

export const byAge = (a: MemoryRecord, b: MemoryRecord): number =>
  a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? -1 : 1;

export const publicEntry = ({ turn_id: _, ...entry }: MemoryRecord): MemoryEntry => entry;

/** Entries to save, as those that are new and those that change. @param known all entries, by their ids */
export function changeOf(
  save: readonly MemoryRecord[],
  known: ReadonlyMap<string, MemoryRecord>,
): Required<Pick<MemoryChange, 'add' | 'rewrite'>> {
  const was = (entry: MemoryRecord) => known.get(entry.id);
  return {
    add: save.filter(entry => was(entry) === undefined),
    rewrite: save.flatMap(entry => {
      const before = was(entry);
      return before === undefined ? [] : [{ was: before, entry }];
    }),
  };
}
