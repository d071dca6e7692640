/** Reads logs from a position. A slow reader falls behind without using memory or delaying the turn. */
import { type Frame, replayedFrame } from '../base/sse-frame.ts';
import type { FrameLog } from './frame-log.ts';
import { eventId, positionAfter } from './position.ts';
import { LogReader } from './waited-log.ts';

/** A source of a stream that is read in pieces. */
export interface Reader {
  /** The next piece of the stream, at most about 64 KiB; empty if there is nothing new. */
  take(): string;
  /** True once the last piece has been taken. */
  readonly ended: boolean;
  /** Calls back once when `take` has more or the end is reached. */
  wait(callback: () => void): void;
  /** Ends the reader because its client has disconnected. */
  stop(): void;
}

/** A reader that may have been requested to continue after an event. */
export interface ResumedReader extends Reader {
  /** True if the first piece comes directly after that event. */
  readonly resumed: boolean;
}

export interface Reading {
  mute: ReadonlySet<string>;
  /** Marks the events that are in the log now with `replayed: true` (EV-12). */
  replay: boolean;
  /** The event id after which to resume, if it belongs to this log. */
  after?: string;
}

const PIECE_CHARS = 64 * 1024;

export class FeedReader extends LogReader<FrameLog> implements ResumedReader {
  readonly resumed: boolean;
  readonly #mute: ReadonlySet<string>;
  readonly #replayUntil: number;
  #position: number;

  constructor(log: FrameLog, reading: Reading) {
    super(log);
    this.#mute = reading.mute;
    this.#replayUntil = reading.replay ? log.frames.length : 0;
    this.#position = positionAfter(log, reading.after);
    this.resumed = this.#position > 0;
  }

  /** The id of the last event that was taken or skipped; undefined if there was none. */
  get lastId(): string | undefined {
    const { turn_id, base } = this.log;
    return this.#position === 0 ? undefined : eventId({ turn_id, n: base + this.#position - 1 });
  }

  get ended(): boolean {
    return this.log.closed && this.#position >= this.log.frames.length;
  }

  take(): string {
    const { frames } = this.log;
    if (this.#position < frames.length) this.log.telling();
    let piece = '';
    while (this.#position < frames.length && piece.length < PIECE_CHARS) {
      const frame = frames[this.#position] as Frame;
      if (frame.text !== '' && !this.#mute.has(frame.type)) {
        piece += this.#position < this.#replayUntil ? replayedFrame(frame.text) : frame.text;
      }
      this.#position++;
    }
    return piece;
  }
}
