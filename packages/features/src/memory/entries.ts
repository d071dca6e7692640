/** Creates the entries of the memory and converts them for the API. */
import { type LearnedFrom, stateFingerprint } from '@chat-kernel/kernel';
import type { MemoryEntry } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import type { MemoryChange, MemoryRecord, MemoryRef, ProposalRecord } from './records.ts';

/** The turn that writes; null if the owner writes. */
export type Writer = Omit<LearnedFrom, 'outside'> | null;

export const createEntry = (
  text: string,
  writer: Pick<MemoryRecord, 'chat_id' | 'turn_id'> | null,
  now: string,
): MemoryRecord => ({
  id: uuidv4(),
  text: text.trim(),
  created_at: now,
  updated_at: now,
  chat_id: writer?.chat_id ?? null,
  turn_id: writer?.turn_id ?? null,
});

export const rewriteEntry = (entry: MemoryRecord, text: string, now: string): MemoryRecord => ({
  ...entry,
  text: text.trim(),
  updated_at: now,
});

/** The entry that a proposal becomes. Its id stays, so that it is accepted only once. */
export const acceptProposal = ({ id, text, origin }: ProposalRecord, now: string): MemoryRecord => ({
  ...createEntry(text, { chat_id: origin.chat_id, turn_id: origin.turn_id }, now),
  id,
});

/** The entry after its chat was deleted. */
export const unlinkEntry = (entry: MemoryRecord): MemoryRecord => ({
  ...entry,
  chat_id: null,
  turn_id: null,
});

export const unlinkProposal = (proposal: ProposalRecord): ProposalRecord => ({
  ...proposal,
  origin: { ...proposal.origin, chat_id: null, turn_id: null },
});

export const byAge = (a: MemoryRecord, b: MemoryRecord): number =>
  a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? -1 : 1;

export const toPublicEntry = ({ turn_id: _, ...entry }: MemoryRecord): MemoryEntry => entry;

/** Splits entries to save into new and changed ones. @param known all entries, by their ids */
export function toMemoryChange(
  save: readonly MemoryRecord[],
  known: ReadonlyMap<string, MemoryRecord>,
): Required<Pick<MemoryChange, 'add' | 'rewrite'>> {
  const existing = (entry: MemoryRecord) => known.get(entry.id);
  return {
    add: save.filter(entry => existing(entry) === undefined),
    rewrite: save.flatMap(entry => {
      const before = existing(entry);
      return before === undefined ? [] : [{ was: before, entry }];
    }),
  };
}

export const toMemoryRefs = (entries: readonly MemoryRecord[]): MemoryRef[] =>
  entries.map(({ id, updated_at }) => [id, updated_at]);

/** The fingerprint of the memory, to compare it with the state that a model has seen. */
export const memoryFingerprint = (entries: readonly MemoryRecord[]): string =>
  stateFingerprint(JSON.stringify(toMemoryRefs(entries)));
