/** The video shelf: watched videos and followed channels, one list for all clients (VID-1 to VID-5). */
import { z } from 'zod';
import { JsonObject, Timestamp } from '../base/primitives.ts';

/** Largest metadata of one entry: bytes of JSON, and levels of nesting. */
const MAX_METADATA = 16 * 1024;
const MAX_DEPTH = 20;
const Text = z.string().max(2000).nullable().default(null);

const NameOnASite = z
  .string()
  .min(1)
  .max(200)
  .refine(text => !/\p{Cc}/u.test(text), 'expected printable characters');
export const VideoId = NameOnASite.describe('Whatever names the video: the kernel knows no site.');
export const ChannelId = NameOnASite.describe(
  'Whatever names the channel; of one that has no id, its address.',
);

const Metadata = JsonObject.refine(
  value =>
    isShallow(value, MAX_DEPTH) && new TextEncoder().encode(JSON.stringify(value)).length <= MAX_METADATA,
  `expected at most ${MAX_METADATA / 1024} KiB of JSON, at most ${MAX_DEPTH} levels deep`,
)
  .default({})
  .describe('Whatever else clients want to keep: at most 16 KiB of JSON.');

/** The body of a mark. It replaces the whole entry. */
export const MarkVideo = z
  .object({
    title: Text,
    channel_id: Text,
    channel_title: Text,
    thumbnail_url: Text,
    published_at: Text.describe('As the client knows it.'),
    duration_s: z.number().describe('0 or less: nobody knows, as of a live stream.'),
    position_s: z
      .number()
      .nullable()
      .default(null)
      .describe('Where one stopped. Kept from 2 % to 97 % of the duration, else it becomes null.'),
    metadata: Metadata,
  })
  .meta({ id: 'MarkVideo' });
export type MarkVideo = z.infer<typeof MarkVideo>;

export const Video = MarkVideo.extend({
  video_id: VideoId,
  watched_at: Timestamp.describe('When it was last marked.'),
}).meta({ id: 'Video' });
export type Video = z.infer<typeof Video>;

export const VideoPage = z
  .object({
    rows: z.array(Video).describe('The last marked first.'),
    next_before: VideoId.nullable().describe('Null where the page is empty: that is the end.'),
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
  .object({ subscriptions: z.array(Subscription).describe('By title, whatever its case.') })
  .meta({ id: 'SubscriptionList' });
export type SubscriptionList = z.infer<typeof SubscriptionList>;

/** The number of entries that were deleted. */
export const VideosDeleted = z.object({ deleted: z.int().min(0) }).meta({ id: 'VideosDeleted' });
export type VideosDeleted = z.infer<typeof VideosDeleted>;

export const SubscriptionsImported = z
  .object({
    format: z.enum(['opml', 'newpipe', 'invidious', 'freetube']).describe('What the file was found to be.'),
    new: z.int().min(0).describe('Channels that were not followed yet.'),
    known: z.int().min(0).describe('Channels that are followed already: they stay as they are.'),
    invalid: z.int().min(0).describe('Entries that name no channel.'),
    dry_run: z.boolean().describe('True: only counted.'),
  })
  .meta({ id: 'SubscriptionsImported' });
export type SubscriptionsImported = z.infer<typeof SubscriptionsImported>;

/** Whether a value has at most `levels` levels of nesting. Deeper levels are not looked at. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(child => isShallow(child, levels - 1));
}
