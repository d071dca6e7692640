/** The video shelf: watched videos and followed channels. The kernel keeps them and never asks a site (SVC-4). */
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
import { PerKey } from '../base/keyed-queue.ts';
import type { KernelEvents } from '../events/kernel-events.ts';
import { type Clock, type Store, timestamp } from '../ports/index.ts';
import { newPipeOf, opmlOf } from './export.ts';
import { readSubscriptions } from './import.ts';
import { stopPosition } from './position.ts';

/** The videos that are kept (VID-3). */
const KEPT = 200;

export class Videos {
  readonly #store: Pick<Store, 'subscriptions' | 'videos'>;
  readonly #events: KernelEvents;
  readonly #clock: Clock;
  readonly #inTurn = new PerKey();

  constructor(store: Pick<Store, 'subscriptions' | 'videos'>, events: KernelEvents, clock: Clock) {
    this.#store = store;
    this.#events = events;
    this.#clock = clock;
  }

  /** Puts a video on top with these facts, which replace all that was known of it (VID-1 to VID-3). */
  mark(video_id: string, mark: MarkVideo): Promise<Video> {
    // Marks wait for each other, so that the times of rows and their order agree.
    return this.#inTurn.run('history', async () => {
      const position_s = stopPosition(mark);
      const video: Video = { video_id, ...mark, position_s, watched_at: timestamp(this.#clock) };
      await this.#store.videos.mark(video, KEPT);
      this.#events.videoChanged('history');
      return video;
    });
  }

  /** A page of the history, the last marked first. @throws KernelError unknown_cursor (VID-4) */
  async history({ limit, before }: { limit: number; before?: string }): Promise<VideoPage> {
    const known = before === undefined || VideoId.safeParse(before).success;
    const rows = known
      ? await this.#store.videos.list({ limit, ...(before !== undefined && { before }) })
      : undefined;
    if (rows === undefined) {
      throw new KernelError('unknown_cursor', 'before: no video of the history has this id.');
    }
    return { rows, next_before: rows.at(-1)?.video_id ?? null };
  }

  /** Deletes the history, or one video of it. @throws KernelError not_found where there is none of this id */
  async forget(id?: string): Promise<VideosDeleted> {
    const deleted = await this.#store.videos.delete(id);
    if (id !== undefined && deleted === 0) {
      throw new KernelError('not_found', 'The history has no video of this id.');
    }
    if (deleted > 0) this.#events.videoChanged('history');
    return { deleted };
  }

  async subscribe(channel_id: string, channel: SubscribeToChannel): Promise<Subscription> {
    const subscription = { channel_id, ...channel };
    await this.#store.subscriptions.save(subscription);
    this.#events.videoChanged('subscriptions');
    return subscription;
  }

  /** @throws KernelError not_found */
  async unsubscribe(channel_id: string): Promise<VideosDeleted> {
    if (!(await this.#store.subscriptions.delete(channel_id))) {
      throw new KernelError('not_found', 'No channel of this id is followed.');
    }
    this.#events.videoChanged('subscriptions');
    return { deleted: 1 };
  }

  async subscriptions(): Promise<SubscriptionList> {
    return { subscriptions: await this.#store.subscriptions.list() };
  }

  /**
   * Subscribes to the channels of a file that another program wrote; those that are followed stay as they are.
   * @throws KernelError invalid_value where the file is of no known format
   */
  async import(bytes: Uint8Array, { dry_run }: { dry_run: boolean }): Promise<SubscriptionsImported> {
    const { format, subscriptions, invalid } = readSubscriptions(bytes);
    const added = dry_run
      ? subscriptions.length - (await this.#followed(subscriptions))
      : await this.#store.subscriptions.add(subscriptions);
    if (added > 0 && !dry_run) this.#events.videoChanged('subscriptions');
    return { format, new: added, known: subscriptions.length - added, invalid, dry_run };
  }

  /** The text of a file. */
  async export(format: 'opml' | 'newpipe'): Promise<string> {
    const subscriptions = await this.#store.subscriptions.list();
    return format === 'opml' ? opmlOf(subscriptions) : JSON.stringify(newPipeOf(subscriptions));
  }

  async #followed(subscriptions: readonly Subscription[]): Promise<number> {
    const ids = new Set((await this.#store.subscriptions.list()).map(({ channel_id }) => channel_id));
    return subscriptions.filter(({ channel_id }) => ids.has(channel_id)).length;
  }
}
