/**
 * Defines the API schemas of the video shelf: watched videos and followed channels, one list for all clients (VID-1 to
 * VID-5).
 */
import { z } from 'zod';
import { boundedObject } from '../base/bounded.ts';
import { Timestamp } from '../base/primitives.ts';

/** Limits for the metadata of one entry: bytes of JSON, and levels of nesting. */
const MAX_METADATA = 16 * 1024;
const MAX_DEPTH = 20;
const Text = z.string().max(2000).nullable().default(null);

const NameOnASite = z
  .string()
  .min(1)
  .max(200, { abort: true })
  .refine(text => !/\p{Cc}/u.test(text), 'expected printable characters');
export const VideoId = NameOnASite.describe('Any id of the video. The kernel does not contact video sites.');
export const ChannelId = NameOnASite.describe('Any id of the channel, or its URL if it has no id.');

const Metadata = boundedObject(1000)
  .refine(
    value =>
      isShallow(value, MAX_DEPTH) && new TextEncoder().encode(JSON.stringify(value)).length <= MAX_METADATA,
    `expected at most ${MAX_METADATA / 1024} KiB of JSON, at most ${MAX_DEPTH} levels deep`,
  )
  .default({})
  .describe('Further data of clients, at most 16 KiB of JSON.');

/** The body of a mark. It replaces the whole entry. */
export const MarkVideo = z
  .object({
    title: Text,
    channel_id: Text,
    channel_title: Text,
    thumbnail_url: Text,
    published_at: Text.describe('As reported by the client.'),
    duration_s: z.number().describe('0 or less: unknown, as for a live stream.'),
    position_s: z
      .number()
      .nullable()
      .default(null)
      .describe('The stop position. Stored from 2% to 97% of the duration, otherwise null.'),
    metadata: Metadata,
  })
  .meta({ id: 'MarkVideo' });
export type MarkVideo = z.infer<typeof MarkVideo>;

export const Video = MarkVideo.extend({
  video_id: VideoId,
  watched_at: Timestamp.describe('The time of the last update.'),
}).meta({ id: 'Video' });
export type Video = z.infer<typeof Video>;

export const VideoPage = z
  .object({
    rows: z.array(Video).describe('Most recently watched first.'),
    next_before: VideoId.nullable().describe(
      'The cursor of the next page. Null if the page is empty, which is the end.',
    ),
  })
  .meta({ id: 'VideoPage' });
export type VideoPage = z.infer<typeof VideoPage>;

/** The body of a subscription. It replaces the whole entry. */
export const SubscribeToChannel = z
  .object({ title: z.string().max(2000), url: Text, avatar_url: Text, metadata: Metadata })
  .meta({ id: 'SubscribeToChannel' });
export type SubscribeToChannel = z.infer<typeof SubscribeToChannel>;

export const Subscription = SubscribeToChannel.extend({ channel_id: ChannelId }).meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof Subscription>;

export const SubscriptionList = z
  .object({ subscriptions: z.array(Subscription).describe('Sorted by title, ignoring case.') })
  .meta({ id: 'SubscriptionList' });
export type SubscriptionList = z.infer<typeof SubscriptionList>;

/** The number of deleted entries. */
export const VideosDeleted = z.object({ deleted: z.int().min(0) }).meta({ id: 'VideosDeleted' });
export type VideosDeleted = z.infer<typeof VideosDeleted>;

export const SubscriptionsImported = z
  .object({
    format: z.enum(['opml', 'newpipe', 'invidious', 'freetube']).describe('The detected format of the file.'),
    new: z.int().min(0).describe('Newly followed channels.'),
    known: z.int().min(0).describe('Channels already followed, which stay unchanged.'),
    invalid: z.int().min(0).describe('Entries without a channel.'),
    dry_run: z.boolean().describe('True: a dry run that only counted.'),
  })
  .meta({ id: 'SubscriptionsImported' });
export type SubscriptionsImported = z.infer<typeof SubscriptionsImported>;

/** Whether a value has at most `levels` levels of nesting. Deeper levels are not visited. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(child => isShallow(child, levels - 1));
}
