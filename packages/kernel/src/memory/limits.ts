/** The limits of the memory, and the words that say what to remove where one is passed (MEM-1). */
import { KernelError, MAX_MEMORY_ENTRIES } from '@chat-kernel/protocol';
import type { MemoryRecord } from '../ports/index.ts';

/** The most entries that such a sentence names. */
const NAMED = 10;

/** A change for which there is no room; the message is the sentence of `overLimit`. */
export class NoRoom extends Error {}

/** The same of a request over HTTP. */
export const inRequest = (detail: string): KernelError =>
  new KernelError('invalid_value', detail, { errors: [{ pointer: '/text', detail }] });

export const charsOf = (entries: readonly Pick<MemoryRecord, 'text'>[]): number =>
  entries.reduce((sum, { text }) => sum + text.length, 0);

/**
 * The sentence that says what to remove before the memory may be as it is `after` a change; undefined where it may. A
 * change that makes too long a memory shorter is one that may. No text of an entry is in the sentence, for it stays in
 * a history when the entry is forgotten.
 */
export function overLimit(
  before: readonly MemoryRecord[],
  after: readonly MemoryRecord[],
  maxChars: number,
): string | undefined {
  const [was, chars] = [charsOf(before), charsOf(after)];
  const over = chars - maxChars;
  if (over > 0 && chars > was) {
    return `The memory would have ${count(chars)} of at most ${count(maxChars)} characters. Nothing was changed: remove at least ${count(over)} first, such as of the oldest entries: ${oldest(before, over)}.`;
  }
  if (after.length > MAX_MEMORY_ENTRIES && after.length > before.length) {
    return `The memory would have ${count(after.length)} of at most ${count(MAX_MEMORY_ENTRIES)} entries. Nothing was changed: remove one first, such as the oldest: ${oldest(before, 1)}.`;
  }
  return undefined;
}

/** The entries that nobody has touched for the longest time, as many as have so many characters. */
function oldest(entries: readonly MemoryRecord[], chars: number): string {
  const named: string[] = [];
  let freed = 0;
  for (const { id, text } of entries.toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : 1))) {
    if (freed >= chars || named.length === NAMED) break;
    named.push(`${id} (${count(text.length)} characters)`);
    freed += text.length;
  }
  return named.length === 0 ? 'there are none, so the text is too long by itself' : named.join(', ');
}

const count = (number: number): string => number.toLocaleString('en');
