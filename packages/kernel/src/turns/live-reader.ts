/** Creates the reader of the current turn of a chat and of those to come. */
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import { type Followed, FollowReader } from '../feed/follow.ts';
import { eventPosition, positionBehind } from '../feed/position.ts';
import { FeedReader, type ResumedReader } from '../feed/reader.ts';
import type { ChatQueue } from './chat-queue.ts';
import type { Queues } from './queues.ts';

export interface LiveRequest {
  mute: ReadonlySet<string>;
  follow: boolean;
  /** The header Last-Event-ID. */
  after?: string;
}

/** See `Turns.live`. */
export function liveReader(
  chatId: string,
  { mute, follow, after }: LiveRequest,
  queues: Pick<Queues, 'find' | 'of'>,
  ended: EndedFeeds,
): ResumedReader | null {
  const reading = { mute, replay: true, ...(after !== undefined && { after }) };
  const running = queues.find(chatId)?.current;
  if (follow) {
    const queue = queues.of(chatId);
    return new FollowReader(queue, resumeFollow(chatId, queue, ended, after), reading);
  }
  const feed = ended.unread(chatId, after) ?? running;
  return feed ? new FeedReader(feed.log, reading) : null;
}

/**
 * The feeds of the turns that ran since the reader's last event, and of the current turn.
 * @param after the header Last-Event-ID; a value that is not an event id counts as absent
 */
function resumeFollow(
  chatId: string,
  queue: Pick<ChatQueue, 'turns'>,
  ended: Pick<EndedFeeds, 'since'>,
  after: string | undefined,
): Followed {
  // Include a turn whose message is still being stored: its beginning would not be sent again.
  const current = queue.turns[0]?.feed;
  const present = current ? [current] : [];
  const seen = eventPosition(after);
  if (seen === undefined) return { feeds: present, resume: 'none' };
  const open = queue.turns.find(turn => turn.record.id === seen.turn_id);
  if (open) return { feeds: present, resume: positionBehind(open.feed.log, seen) > 0 ? 'behind' : 'gap' };
  const { feeds, whole } = ended.since(chatId, seen);
  // A turn that has just ended may be in both lists: it is kept before it leaves the queue.
  const past = feeds.filter(feed => feed !== current);
  return { feeds: [...past, ...present], resume: whole ? 'behind' : 'gap' };
}
