/**
 * The one closing of a turn. However it ends — done, failure, cancel, shutdown, a crash found at start — it
 * leaves no item running, no call open, and a history that any provider accepts.
 */
import { timestamp } from '../ports/index.ts';
import type { Ending } from './ending.ts';
import type { RunningTurn, TurnServices } from './running.ts';

/**
 * Never throws: a turn whose end cannot be stored still ends for those who watch it. It then `owes` its end,
 * which has to be settled before the chat goes on.
 */
export async function closeTurn(turn: RunningTurn, ending: Ending, services: TurnServices): Promise<void> {
  const { clock, log, requests } = services;
  // Before anything is closed: what clients are asked ends with the turn, and not after it (EV-13).
  turn.closing = true;
  requests.endTurn(turn.record.id, ending.status === 'cancelled' ? 'cancelled' : 'turn_ended');
  const messages = turn.step.close(ending.left, ending.note);
  turn.noteReply(messages);
  const now = timestamp(clock);
  turn.message_ids.push(...messages.map(message => message.id));
  let stored = ending;
  const written = turn.write({
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
      ...(turn.prefix_tokens !== null && { prefix_tokens: turn.prefix_tokens }),
      context_tokens: turn.context_tokens ?? 0,
    },
  });
  try {
    // A second attempt: a database that lost its connection has a new one.
    await written.catch(() => turn.settle());
  } catch (error) {
    log.error({ err: error, turn_id: turn.record.id }, 'the end of a turn could not be stored');
    stored = { ...ending, status: 'failed', stop_reason: 'error', error: NOT_STORED };
    const { status, stop_reason } = stored;
    // Once it can be stored, it is stored as it was told.
    await turn.settle({ status, stop_reason, error: NOT_STORED }).catch(() => {});
  }
  turn.ended = stored.status;
  if (stored.error) turn.feed.error(stored.error);
  turn.feed.done({
    status: stored.status,
    stop_reason: stored.stop_reason,
    message_ids: turn.message_ids,
    usage: turn.usage,
  });
}

const NOT_STORED = {
  code: 'internal',
  message: 'The end of the turn could not be written to the database.',
  retryable: true,
} as const;
