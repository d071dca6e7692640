/** The reader of what runs in a chat, and of what is to come. */
import type { EventType } from '@chat-kernel/protocol';
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import { FollowReader } from '../feed/follow.ts';
import { FeedReader, type ResumedReader } from '../feed/reader.ts';
import { followed } from './followed.ts';
import type { Queues } from './queues.ts';

export interface LiveRequest {
  mute: ReadonlySet<EventType>;
  follow: boolean;
  /** The header Last-Event-ID. */
  after?: string;
}

/** As `Turns.live` says. */
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
    return new FollowReader(queue, followed(chatId, queue, ended, after), reading);
  }
  const feed = ended.unread(chatId, after) ?? running;
  return feed ? new FeedReader(feed.log, reading) : null;
}
