/**
 * Closes a turn. However it ends (done, failure, cancel, shutdown, a crash found at start), no item is left running, no
 * call is left open, and any provider accepts the history.
 */
import { isFenced, type NewMessage, timestamp } from '../ports/index.ts';
import type { Ending } from './ending.ts';
import { isStorageUnavailable } from './ending.ts';
import type { RunningTurn } from './running-turn.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Closes a turn. Never throws: a turn whose end cannot be stored still ends for its readers. Its end is then one of its
 * unsaved writes, which must be stored before the chat continues.
 * @param before messages that come before the running step and are not stored either
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
  const { outside } = turn.record;
  const written = turn.writes.writeSurely({
    turn: {
      status: ending.status,
      ended_at: now,
      stop_reason: ending.stop_reason,
      error: ending.error ?? null,
      checkpoint: null,
      sleep: null,
      // No other write contains it if the turn had one step.
      ...(outside.length > 0 && { outside }),
    },
    append: messages,
    chat: {
      last_message_at: now,
      updated_at: now,
      ...(turn.model.window.prefixTokens !== null && { prefix_tokens: turn.model.window.prefixTokens }),
      context_tokens: turn.model.window.tokens ?? 0,
    },
  });
  try {
    // A second attempt succeeds if the database connection was lost and has been replaced.
    await written.catch(() => turn.writes.settle());
  } catch (error) {
    if (isFenced(error)) return turn.feed.close();
    const code = isStorageUnavailable(error) ? 'storage_unavailable' : 'internal';
    const level = code === 'internal' ? 'error' : 'warn';
    log[level]({ err: error, turn_id: turn.record.id }, 'storing the end of a turn failed');
    const told = { ...NOT_STORED, code } as const;
    stored = { ...ending, status: 'failed', stop_reason: 'error', error: told };
    const { status, stop_reason } = stored;
    // A later write stores the end in the form that clients have seen.
    await turn.writes.settle({ status, stop_reason, error: told }).catch(() => {});
  }
  // The next owner of the chat ends the turn and publishes that.
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
    usage: turn.model.usage,
  });
}

const NOT_STORED = {
  message: 'Writing the end of the turn to the database failed.',
  retryable: true,
} as const;
