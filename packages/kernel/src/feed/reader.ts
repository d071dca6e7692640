/** Readers: positions in logs. A slow reader lags; it costs neither memory nor the turn's time. */
import type { EventType } from '@chat-kernel/protocol';
import { type Frame, replayedFrame } from '../base/sse-frame.ts';
import type { FrameLog } from './frame-log.ts';
import { positionAfter } from './position.ts';

/** The source of a stream, piece by piece. */
export interface Reader {
  /** The next piece of the stream, at most about 64 KiB; empty where there is nothing new. */
  take(): string;
  /** True once the last piece was taken. */
  readonly ended: boolean;
  /** Calls back once when `take` has more or the end is reached. */
  wait(callback: () => void): void;
  /** Ends the reader: its client has hung up. */
  stop(): void;
}

/** A reader that may have been asked to go on behind an event. */
export interface ResumedReader extends Reader {
  /** The first piece comes right behind that event. */
  readonly resumed: boolean;
}

export interface Reading {
  mute: ReadonlySet<EventType>;
  /** The events that are in the log now go out marked `replayed: true` (EV-12). */
  replay: boolean;
  /** The event id behind which to resume, if it is one of this log. */
  after?: string;
}

const PIECE_CHARS = 64 * 1024;

export class FeedReader implements ResumedReader {
  readonly resumed: boolean;
  readonly #log: FrameLog;
  readonly #mute: ReadonlySet<EventType>;
  readonly #replayUntil: number;
  #position: number;
  #callback: (() => void) | null = null;
  #stopped = false;

  constructor(log: FrameLog, reading: Reading) {
    this.#log = log;
    log.readers++;
    this.#mute = reading.mute;
    // What nobody could read yet is no replay.
    this.#replayUntil = reading.replay && !log.held ? log.frames.length : 0;
    this.#position = positionAfter(log, reading.after);
    this.resumed = this.#position > 0;
  }

  get ended(): boolean {
    return this.#log.closed && this.#position >= this.#log.frames.length;
  }

  take(): string {
    const { frames, held } = this.#log;
    if (held) return '';
    if (this.#position < frames.length) this.#log.telling();
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

  wait(callback: () => void): void {
    this.#callback = callback;
    this.#log.wait(callback);
  }

  stop(): void {
    if (!this.#stopped) this.#log.readers--;
    this.#stopped = true;
    if (this.#callback !== null) this.#log.forget(this.#callback);
  }
}
