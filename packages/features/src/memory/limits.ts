/** Checks the limits of the memory, and describes what to remove if one is exceeded (MEM-1). */
import { KernelError, MAX_MEMORY_ENTRIES } from '@chat-kernel/protocol';
import type { MemoryRecord } from './records.ts';

/** The maximum number of entries that an error message lists. */
const MAX_LISTED = 10;

/** A change that would exceed a limit; the message is the sentence of `overLimit`. */
export class MemoryFullError extends Error {}

/** Converts it to the error of an HTTP request. */
export const toRequestError = (detail: string): KernelError =>
  new KernelError('invalid_value', detail, { errors: [{ pointer: '/text', detail }] });

export const countChars = (entries: readonly Pick<MemoryRecord, 'text'>[]): number =>
  entries.reduce((sum, { text }) => sum + text.length, 0);

/**
 * Returns a sentence that says what to remove before this change is possible; undefined if it is possible. A change
 * that shortens a memory that is too long is always possible. The sentence contains no text of an entry, because it
 * stays in a history after the entry is forgotten.
 */
export function describeOverflow(
  before: readonly MemoryRecord[],
  after: readonly MemoryRecord[],
  maxChars: number,
): string | undefined {
  const [charsBefore, chars] = [countChars(before), countChars(after)];
  const excess = chars - maxChars;
  if (excess > 0 && chars > charsBefore) {
    return `The memory would have ${format(chars)} of at most ${format(maxChars)} characters. Nothing was changed. Remove at least ${format(excess)} first, for example from the oldest entries: ${listOldest(before, excess)}.`;
  }
  if (after.length > MAX_MEMORY_ENTRIES && after.length > before.length) {
    return `The memory would have ${format(after.length)} of at most ${format(MAX_MEMORY_ENTRIES)} entries. Nothing was changed. Remove one first, for example the oldest: ${listOldest(before, 1)}.`;
  }
  return undefined;
}

/** The least recently changed entries that together have this many characters. */
function listOldest(entries: readonly MemoryRecord[], chars: number): string {
  const listed: string[] = [];
  let freed = 0;
  for (const { id, text } of entries.toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : 1))) {
    if (freed >= chars || listed.length === MAX_LISTED) break;
    listed.push(`${id} (${format(text.length)} characters)`);
    freed += text.length;
  }
  return listed.length === 0 ? 'there are no entries; the text itself is too long' : listed.join(', ');
}

const format = (number: number): string => number.toLocaleString('en');
