/** The entries of the memory, as they are made and shown. */
import type { MemoryEntry } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { MemoryRecord } from '../ports/index.ts';

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
