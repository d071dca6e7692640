/** Creates the reader of the current turn of a chat and of those to come. */
import type { EndedFeeds } from '../feed/ended-feeds.ts';
import { FollowReader } from '../feed/follow.ts';
import { FeedReader, type ResumedReader } from '../feed/reader.ts';
import type { Queues } from './queues.ts';
import { resumeFollow } from './resume-follow.ts';

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
