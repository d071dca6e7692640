/** What a reader that follows a chat reads first (WIRE-3). */
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import type { Followed } from '../feed/follow.ts';
import { eventPosition, positionBehind } from '../feed/position.ts';
import type { ChatQueue } from './chat-queue.ts';

/**
 * The feeds of the turns that ran since the reader was here last, and of the present one.
 * @param after the header Last-Event-ID; what is no event id counts as none
 */
export function followed(
  chatId: string,
  queue: Pick<ChatQueue, 'turns'>,
  ended: Pick<EndedFeeds, 'since'>,
  after: string | undefined,
): Followed {
  // One whose message is being stored too: it would not be told again that it begins.
  const current = queue.turns[0]?.feed;
  const present = current ? [current] : [];
  const seen = eventPosition(after);
  if (seen === undefined) return { feeds: present, resume: 'none' };
  const open = queue.turns.find(turn => turn.record.id === seen.turn_id);
  if (open) return { feeds: present, resume: positionBehind(open.feed.log, seen) > 0 ? 'behind' : 'gap' };
  const { feeds, whole } = ended.since(chatId, seen);
  // A turn that has ended just now is kept already, and has not left the queue yet.
  const past = feeds.filter(feed => feed !== current);
  return { feeds: [...past, ...present], resume: whole ? 'behind' : 'gap' };
}
