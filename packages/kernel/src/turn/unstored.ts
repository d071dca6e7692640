/** What a crash has left of a turn besides its stored messages. */
import type { NewMessage, TurnRecord } from '../ports/index.ts';

/**
 * The messages of a turn that the process before this one told and did not store. Where the journal could not be written
 * for a while, the copy in the store knows more than the journal; a message only grows, so the longer one counts.
 * @param left those in the journal
 */
export function unstoredOf(
  { checkpoint }: Pick<TurnRecord, 'checkpoint'>,
  left: readonly NewMessage[] | undefined,
  stored: readonly NewMessage[],
): NewMessage[] {
  const known = new Set(stored.map(({ id }) => id));
  const found = new Map<string, NewMessage>();
  for (const message of [...(left ?? []), ...(checkpoint ?? [])]) {
    const other = found.get(message.id);
    if (known.has(message.id) || (other !== undefined && sizeOf(other) >= sizeOf(message))) continue;
    found.set(message.id, message);
  }
  return [...found.values()];
}

const sizeOf = ({ content }: NewMessage): number => JSON.stringify(content).length;
