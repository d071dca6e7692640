/**
 * Drops waiting turns: their messages are removed from the chat, and they end as canceled without having begun
 * (WAIT-4).
 */
import type { DroppedTurn } from '@chat-kernel/protocol';
import { itemsOfMessage } from '../items/to-items.ts';
import { type StoredMessage, timestamp } from '../ports/index.ts';
import type { RunningTurn } from '../turn/running-turn.ts';
import { turnDone } from '../turn/stages.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { ChatQueue } from './chat-queue.ts';

/**
 * Drops turns of one chat. If the store fails, rejects and the turns continue to wait.
 * @param turns turns that wait in the queue, in their order; not empty
 */
export async function cancelQueuedTurns(
  turns: readonly RunningTurn[],
  queue: ChatQueue,
  { store, events, stages, clock }: Pick<TurnServices, 'clock' | 'events' | 'stages' | 'store'>,
): Promise<DroppedTurn[]> {
  const [{ held }] = turns as [RunningTurn];
  const { chat_id } = held;
  const dropped: DroppedTurn[] = [];
  await queue.drop(turns, async () => {
    const texts = new Map((await store.messages.listWaiting(chat_id)).map(toIdAndText));
    dropped.push(
      ...turns.map(({ record: { id: turn_id, message_id } }) => ({
        turn_id,
        message_id,
        text: texts.get(message_id) ?? '',
      })),
    );
    await store.turns.drop(held, {
      turn_ids: dropped.map(({ turn_id }) => turn_id),
      message_ids: dropped.map(({ message_id }) => message_id),
      ended_at: timestamp(clock),
    });
  });
  for (const turn of turns) end(turn);
  const chat = await store.chats.get(chat_id);
  if (chat) events.chatUpdated(chat);
  return dropped;

  function end(turn: RunningTurn): void {
    turn.outcome.end('cancelled');
    // A kernel that is stopping may have closed the feed already.
    if (!turn.feed.closed) {
      const { usage } = turn.model;
      turn.feed.done({ status: 'cancelled', stop_reason: 'cancelled', message_ids: [], usage });
    }
    events.turnEnded(turn.record, 'cancelled');
    turnDone(turn, 'cancelled', stages);
  }
}

function toIdAndText(message: StoredMessage): [string, string] {
  const [item] = itemsOfMessage(message, () => undefined, null);
  return [message.id, item?.kind === 'user_message' ? item.text : ''];
}
