/**
 * Manages the video shelf: watched videos and followed channels. The kernel stores them and never contacts a site
 * (SVC-4).
 */
import { type Clock, type FeatureHost, KeyedQueue, timestamp } from '@chat-kernel/kernel';
import {
  KernelError,
  type MarkVideo,
  type SubscribeToChannel,
  type Subscription,
  type SubscriptionList,
  type SubscriptionsImported,
  type Video,
  VideoId,
  type VideoPage,
  type VideosDeleted,
} from '@chat-kernel/protocol';
import type { Page } from '../feature.ts';
import { channelFeedUrl, channelPageUrl, hasAddress } from './channel.ts';
import type { VideoStore } from './history-store.ts';
import { readSubscriptions } from './import.ts';
import { writeOpml } from './opml.ts';
import type { SubscriptionStore } from './subscription-store.ts';

/**
 * The range in which a position is kept, as fractions of the duration, both ends included. Below it the video has
 * hardly begun; above it the video counts as watched.
 */
const BEGUN = 0.02;
const SEEN = 0.97;

/** The position in seconds; null outside of the range, or if the duration is unknown. */
function stopPosition({
  position_s,
  duration_s,
}: {
  position_s: number | null;
  duration_s: number;
}): number | null {
  if (position_s === null || duration_s <= 0) return null;
  const part = position_s / duration_s;
  return part >= BEGUN && part <= SEEN ? position_s : null;
}

/** NewPipe numbers its services; this is the number of the only service whose ids are known here. */
const FIRST_SERVICE = 0;

/** Builds the OPML document. Leaves out channels without the address of a feed or page. */
function toOpml(subscriptions: readonly Subscription[]): string {
  return writeOpml(
    subscriptions.flatMap(({ channel_id, title, url }) => {
      if (hasAddress(channel_id))
        return [{ title, feed: channelFeedUrl(channel_id), page: channelPageUrl(channel_id) }];
      return url === null ? [] : [{ title, feed: url, page: url }];
    }),
  );
}

/** Builds the export of NewPipe. Leaves out channels of a service whose number is unknown. */
function toNewPipe(subscriptions: readonly Subscription[]): object {
  const entries = subscriptions.flatMap(({ channel_id, title: name, url, metadata: { service_id } }) => {
    if (hasAddress(channel_id)) return [{ service_id: FIRST_SERVICE, url: channelPageUrl(channel_id), name }];
    return url !== null && Number.isInteger(service_id) ? [{ service_id, url, name }] : [];
  });
  return { app_version: '', app_version_int: 0, subscriptions: entries };
}

/** The maximum number of videos in the history (VID-3). */
const MAX_VIDEOS = 200;

interface VideoStores {
  videos: VideoStore;
  subscriptions: SubscriptionStore;
}

export class Videos {
  readonly #store: VideoStores;
  readonly #events: Pick<FeatureHost['events'], 'publish'>;
  readonly #clock: Clock;
  readonly #inTurn = new KeyedQueue();

  constructor(store: VideoStores, events: Pick<FeatureHost['events'], 'publish'>, clock: Clock) {
    this.#store = store;
    this.#events = events;
    this.#clock = clock;
  }

  /** Moves a video to the top with these facts, which replace all earlier ones (VID-1 to VID-3). */
  mark(video_id: string, mark: MarkVideo): Promise<Video> {
    // Marks run one after the other, so that the times of rows match their order.
    return this.#inTurn.run('history', async () => {
      const position_s = stopPosition(mark);
      const video: Video = { video_id, ...mark, position_s, watched_at: timestamp(this.#clock) };
      await this.#store.videos.mark(video, MAX_VIDEOS);
      this.#events.publish({ type: 'video_changed', what: 'history' });
      return video;
    });
  }

  /** Returns a page of the history, the last marked first. @throws KernelError unknown_cursor (VID-4) */
  async history(page: Page): Promise<VideoPage> {
    const known = page.before === undefined || VideoId.safeParse(page.before).success;
    const rows = known ? await this.#store.videos.list(page) : undefined;
    if (rows === undefined) {
      throw new KernelError('unknown_cursor', 'before: the history has no video with this id.');
    }
    return { rows, next_before: rows.at(-1)?.video_id ?? null };
  }

  /** Deletes the history, or one video of it. @throws KernelError not_found if no video has this id */
  async forget(id?: string): Promise<VideosDeleted> {
    const deleted = await this.#store.videos.delete(id);
    if (id !== undefined && deleted === 0) {
      throw new KernelError('not_found', 'The history has no video with this id.');
    }
    if (deleted > 0) this.#events.publish({ type: 'video_changed', what: 'history' });
    return { deleted };
  }

  async subscribe(channel_id: string, channel: SubscribeToChannel): Promise<Subscription> {
    const subscription = { channel_id, ...channel };
    await this.#store.subscriptions.save(subscription);
    this.#events.publish({ type: 'video_changed', what: 'subscriptions' });
    return subscription;
  }

  /** @throws KernelError not_found */
  async unsubscribe(channel_id: string): Promise<VideosDeleted> {
    if (!(await this.#store.subscriptions.delete(channel_id))) {
      throw new KernelError('not_found', 'There is no subscription to a channel with this id.');
    }
    this.#events.publish({ type: 'video_changed', what: 'subscriptions' });
    return { deleted: 1 };
  }

  async subscriptions(): Promise<SubscriptionList> {
    return { subscriptions: await this.#store.subscriptions.list() };
  }

  /**
   * Subscribes to the channels of a file of another program; existing subscriptions stay unchanged.
   * @throws KernelError invalid_value if the format of the file is unknown
   */
  async import(bytes: Uint8Array, { dry_run }: { dry_run: boolean }): Promise<SubscriptionsImported> {
    const { format, subscriptions, invalid } = readSubscriptions(bytes);
    const added = dry_run
      ? subscriptions.length - (await this.#followed(subscriptions))
      : await this.#store.subscriptions.add(subscriptions);
    if (added > 0 && !dry_run) this.#events.publish({ type: 'video_changed', what: 'subscriptions' });
    return { format, new: added, known: subscriptions.length - added, invalid, dry_run };
  }

  /** Returns the text of a file. */
  async export(format: 'opml' | 'newpipe'): Promise<string> {
    const subscriptions = await this.#store.subscriptions.list();
    return format === 'opml' ? toOpml(subscriptions) : JSON.stringify(toNewPipe(subscriptions));
  }

  async #followed(subscriptions: readonly Subscription[]): Promise<number> {
    const ids = new Set((await this.#store.subscriptions.list()).map(({ channel_id }) => channel_id));
    return subscriptions.filter(({ channel_id }) => ids.has(channel_id)).length;
  }
}
