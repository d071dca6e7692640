/** What a crash has left of a turn besides its stored messages. */
import type { NewMessage, TurnRecord } from '../ports/index.ts';

/**
 * The messages of a turn that the process before this one told and did not store.
 * @param left those in the journal; undefined where it has none, and the store may have a copy
 */
export function unstoredOf(
  { checkpoint }: Pick<TurnRecord, 'checkpoint'>,
  left: readonly NewMessage[] | undefined,
  stored: readonly NewMessage[],
): NewMessage[] {
  const known = new Set(stored.map(({ id }) => id));
  return (left ?? checkpoint ?? []).filter(({ id }) => !known.has(id));
}
