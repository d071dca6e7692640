/** Finds the feed of an earlier turn for a repeated request. */
import type { TurnEnd } from '@chat-kernel/protocol';
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import type { TurnFeed } from '../feed/feed.ts';
import { rebuildFeed } from '../feed/rebuild.ts';
import type { Store, TurnRecord } from '../ports/index.ts';
import type { Queues } from './queues.ts';

/** The feed of a turn that is running, has just ended, or ended long ago. */
export async function findFeed(
  record: TurnRecord,
  queues: Pick<Queues, 'turn'>,
  ended: Pick<EndedFeeds, 'get'>,
  { messages }: Pick<Store, 'messages'>,
): Promise<TurnFeed> {
  const { id, chat_id } = record;
  return (
    queues.turn(chat_id, id)?.feed ??
    ended.get(id) ??
    rebuildFeed(record as TurnRecord & { status: TurnEnd }, await messages.listOfTurn(chat_id, id))
  );
}
