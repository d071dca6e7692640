/** A reader that goes on from turn to turn: `GET /live?follow=true`. It ends with the kernel. */
import type { TurnFeed } from './feed.ts';
import { FeedReader, type Reading, type ResumedReader } from './reader.ts';

/** The turns of one chat as they begin. */
export interface TurnSource {
  /** The feed of the turn that runs now, or is the first to wait. */
  readonly current: TurnFeed | undefined;
  /**
   * Calls back at each turn that begins, and with null when none will begin any more. The returned function takes
   * that back.
   */
  onBegin(callback: (feed: TurnFeed | null) => void): () => void;
}

export class FollowReader implements ResumedReader {
  readonly resumed: boolean;
  /** The reader that is read now, and those of the turns after it. */
  readonly #readers: FeedReader[];
  readonly #unsubscribe: () => void;
  #callback: (() => void) | null = null;
  #last = false;

  /** Reads `feeds` before the turns to come; `reading` (replay, resume) counts for these feeds. */
  constructor(source: TurnSource, feeds: readonly TurnFeed[], reading: Reading) {
    this.#readers = feeds.map(feed => new FeedReader(feed.log, reading));
    this.resumed = this.#readers[0]?.resumed ?? false;
    this.#unsubscribe = source.onBegin(feed => {
      if (feed === null) this.#last = true;
      else if (feeds.includes(feed)) return;
      else this.#readers.push(new FeedReader(feed.log, { mute: reading.mute, replay: false }));
      this.#fire();
    });
  }

  get ended(): boolean {
    return this.#last && this.#readers.length === 0;
  }

  take(): string {
    for (;;) {
      const reader = this.#readers[0];
      if (reader === undefined) return '';
      const piece = reader.take();
      if (piece !== '' || !reader.ended) return piece;
      this.#readers.shift();
    }
  }

  wait(callback: () => void): void {
    this.#callback = callback;
    this.#readers[0]?.wait(this.#fire);
  }

  stop(): void {
    this.#unsubscribe();
    this.#readers[0]?.stop();
  }

  readonly #fire = (): void => {
    const callback = this.#callback;
    this.#callback = null;
    callback?.();
  };
}
