/**
 * The one closing of a turn. However it ends — done, failure, cancel, shutdown, a crash found at start — it
 * leaves no item running, no call open, and a history that any provider accepts.
 */
import { isFenced, type NewMessage, timestamp } from '../ports/index.ts';
import type { Ending } from './ending.ts';
import type { RunningTurn } from './running-turn.ts';
import { isStoreAway } from './store-away.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Closes a turn. Never throws: a turn whose end cannot be stored still ends for its readers. The end is then among
 * its unsaved writes, which have to be settled before the chat goes on.
 * @param before messages that stand before the running step, and are not stored either
 */
export async function closeTurn(
  turn: RunningTurn,
  ending: Ending,
  { clock, log, requests }: Pick<TurnServices, 'clock' | 'log' | 'requests'>,
  before: readonly NewMessage[] = [],
): Promise<void> {
  // Requests to clients end before anything is closed, so that their endings come before `done` (EV-13).
  turn.life.beginClosing();
  requests.endTurn(turn.record.id, ending.status === 'cancelled' ? 'cancelled' : 'turn_ended');
  const messages = [...before, ...turn.step.close(ending.left, ending.note)];
  turn.outcome.addMessages(messages);
  const now = timestamp(clock);
  let stored = ending;
  const written = turn.writes.writeSurely({
    turn: {
      status: ending.status,
      ended_at: now,
      stop_reason: ending.stop_reason,
      error: ending.error ?? null,
      checkpoint: null,
      sleep: null,
    },
    append: messages,
    chat: {
      last_message_at: now,
      updated_at: now,
      ...(turn.window.prefixTokens !== null && { prefix_tokens: turn.window.prefixTokens }),
      context_tokens: turn.window.tokens ?? 0,
    },
  });
  try {
    // A second attempt helps where a database had lost its connection and has a new one.
    await written.catch(() => turn.writes.settle());
  } catch (error) {
    if (isFenced(error)) return turn.feed.close();
    const code = isStoreAway(error) ? 'storage_unavailable' : 'internal';
    const level = code === 'internal' ? 'error' : 'warn';
    log[level]({ err: error, turn_id: turn.record.id }, 'the end of a turn could not be stored');
    const told = { ...NOT_STORED, code } as const;
    stored = { ...ending, status: 'failed', stop_reason: 'error', error: told };
    const { status, stop_reason } = stored;
    // A later write stores the end as clients have seen it.
    await turn.writes.settle({ status, stop_reason, error: told }).catch(() => {});
  }
  // The next owner of the chat ends the turn, and tells so.
  if (turn.life.isFenced) {
    turn.feed.close();
    return;
  }
  turn.outcome.end(stored.status, stored.error?.code);
  if (stored.error) turn.feed.error(stored.error);
  turn.feed.done({
    status: stored.status,
    stop_reason: stored.stop_reason,
    message_ids: [...turn.outcome.messageIds],
    usage: turn.usage,
  });
}

const NOT_STORED = {
  message: 'The end of the turn could not be written to the database.',
  retryable: true,
} as const;
