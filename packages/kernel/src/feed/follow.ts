/** A reader that goes on from turn to turn: `GET /live?follow=true`. It ends with the kernel. */
import { encoded, frameText } from '../base/sse-frame.ts';
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

/** What a reader reads before the turns to come. */
export interface Followed {
  feeds: readonly TurnFeed[];
  /**
   * How the feeds go on behind the event that the reader names. `behind`: right there. `gap`: something between them is
   * not known any more, which the reader is told first (WIRE-3). `none`: it names no event.
   */
  resume: 'behind' | 'gap' | 'none';
}

export class FollowReader implements ResumedReader {
  readonly resumed: boolean;
  /** The reader that is read now, and those of the turns after it. */
  readonly #readers: FeedReader[];
  readonly #unsubscribe: () => void;
  /** Text that goes out before any event of a turn. */
  #opening: string;
  #callback: (() => void) | null = null;
  #last = false;

  /** @param reading its replay counts for the feeds of now alone; its resume also for a turn that still waits */
  constructor(source: TurnSource, { feeds, resume }: Followed, reading: Reading) {
    this.#readers = feeds.map(feed => new FeedReader(feed.log, reading));
    this.resumed = resume === 'behind';
    const isTold = resume === 'gap' && !reading.mute.has('reset');
    // The id leads back to the same place, so that a connection that breaks here is told the same again.
    this.#opening = isTold ? frameText(reading.after as string, encoded({ type: 'reset' })) : '';
    this.#unsubscribe = source.onBegin(feed => {
      if (feed === null) this.#last = true;
      else if (feeds.includes(feed)) return;
      else this.#readers.push(new FeedReader(feed.log, { ...reading, replay: false }));
      this.#fire();
    });
  }

  get ended(): boolean {
    return this.#last && this.#opening === '' && this.#readers.length === 0;
  }

  take(): string {
    if (this.#opening !== '') {
      const opening = this.#opening;
      this.#opening = '';
      return opening;
    }
    for (;;) {
      const reader = this.#readers[0];
      if (reader === undefined) return '';
      const piece = reader.take();
      if (piece !== '' || !reader.ended) return piece;
      reader.stop();
      this.#readers.shift();
    }
  }

  wait(callback: () => void): void {
    this.#callback = callback;
    this.#readers[0]?.wait(this.#fire);
  }

  stop(): void {
    this.#unsubscribe();
    for (const reader of this.#readers) reader.stop();
  }

  readonly #fire = (): void => {
    const callback = this.#callback;
    this.#callback = null;
    callback?.();
  };
}
