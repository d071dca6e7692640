/** Recovers what a crash left of a turn besides its stored messages. */
import type { NewMessage, TurnRecord } from '../ports/index.ts';

/**
 * The messages of a turn that the previous process published but did not store. If the journal could not be written for
 * a while, the checkpoint in the store is newer than the journal. Messages only grow, so the longer copy counts.
 * @param left the messages in the journal
 */
export function recoverMessages(
  { checkpoint }: Pick<TurnRecord, 'checkpoint'>,
  left: readonly NewMessage[] | undefined,
  stored: readonly NewMessage[],
): NewMessage[] {
  const known = new Set(stored.map(({ id }) => id));
  const found = new Map<string, NewMessage>();
  for (const message of [...(left ?? []), ...(checkpoint ?? [])]) {
    const other = found.get(message.id);
    if (known.has(message.id) || (other !== undefined && measureSize(other) >= measureSize(message)))
      continue;
    found.set(message.id, message);
  }
  return [...found.values()];
}

const measureSize = ({ content }: NewMessage): number => JSON.stringify(content).length;
