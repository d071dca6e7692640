/** Reads turn after turn for `GET /live?follow=true`, until the kernel stops. */
import type { Event } from '@chat-kernel/protocol';
import { encoded, frameText } from '../base/sse-frame.ts';
import type { TurnFeed } from './feed.ts';
import { eventPosition } from './position.ts';
import { FeedReader, type Reading, type ResumedReader } from './reader.ts';

export interface Follower {
  /** A turn begins; null: no further turn will begin. */
  onBegin(feed: TurnFeed | null): void;
  /** The chat changed while it was idle. */
  onEvent(event: Event): void;
}

/** The turns of one chat as they begin, and the events between them. */
export interface TurnSource {
  /** The feed of the running turn, or of the first waiting one. */
  readonly current: TurnFeed | undefined;
  /** Notifies the follower until the returned function is called. */
  follow(follower: Follower): () => void;
}

/**
 * The id of an event between turns if the reader has no event of a turn: it names no event, so that nothing is skipped.
 */
const NO_EVENT = '0';

/** The feeds that a reader reads before those of later turns. */
export interface Followed {
  feeds: readonly TurnFeed[];
  /**
   * How the feeds continue after the event that the reader names. `behind`: directly after it. `gap`: events in between
   * are missing, and the reader is notified of that first (WIRE-3). `none`: the reader names no event.
   */
  resume: 'behind' | 'gap' | 'none';
}

export class FollowReader implements ResumedReader {
  readonly resumed: boolean;
  /** The readers of turns and the events between them, in order; the first is the current one. */
  readonly #parts: (FeedReader | Event)[];
  readonly #unsubscribe: () => void;
  /**
   * The id of the last event sent of a turn. Events between turns repeat it, because it leads back to the same
   * position.
   */
  #lastId: string;
  #callback: (() => void) | null = null;
  #last = false;

  /** @param reading its replay applies only to the current feeds; its resume also to a turn that still waits */
  constructor(source: TurnSource, { feeds, resume }: Followed, reading: Reading) {
    this.#parts = feeds.map(feed => new FeedReader(feed.log, reading));
    this.resumed = resume === 'behind';
    this.#lastId = eventPosition(reading.after) ? (reading.after as string) : NO_EVENT;
    if (resume === 'gap' && !reading.mute.has('reset')) this.#parts.unshift({ type: 'reset' });
    this.#unsubscribe = source.follow({
      onBegin: feed => {
        if (feed === null) this.#last = true;
        else if (feeds.includes(feed)) return;
        else this.#parts.push(new FeedReader(feed.log, { ...reading, replay: false }));
        this.#fire();
      },
      onEvent: event => {
        if (reading.mute.has(event.type)) return;
        this.#parts.push(event);
        this.#fire();
      },
    });
  }

  get ended(): boolean {
    return this.#last && this.#parts.length === 0;
  }

  take(): string {
    for (;;) {
      const part = this.#parts[0];
      if (part === undefined) return '';
      if (!(part instanceof FeedReader)) {
        this.#parts.shift();
        return frameText(this.#lastId, encoded(part));
      }
      const piece = part.take();
      if (piece !== '' || !part.ended) return piece;
      this.#lastId = part.lastId ?? this.#lastId;
      part.stop();
      this.#parts.shift();
    }
  }

  wait(callback: () => void): void {
    this.#callback = callback;
    const [part] = this.#parts;
    if (part instanceof FeedReader) part.wait(this.#fire);
  }

  stop(): void {
    this.#unsubscribe();
    for (const part of this.#parts) if (part instanceof FeedReader) part.stop();
  }

  readonly #fire = (): void => {
    const callback = this.#callback;
    this.#callback = null;
    callback?.();
  };
}
