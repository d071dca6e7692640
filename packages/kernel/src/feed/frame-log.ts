/** The encoded events of one turn, each at a place that it keeps, and the readers that wait for more of them. */
import type { Event } from '@chat-kernel/protocol';
import { type Frame, frameText } from '../base/sse-frame.ts';
import type { Ticks } from './ticks.ts';

/** The frame in the place of a dropped event. All share one object, since a flood of snapshots drops many. */
const BLANK: Frame = { type: 'tool_progress', text: '' };

export class FrameLog {
  readonly frames: Frame[] = [];
  /** The characters of all frames, for the limit on kept feeds. */
  chars = 0;
  readonly turn_id: string;
  /** The number in the id of the first event. */
  readonly base: number;
  /** No event will follow. */
  closed = false;
  /** Readers get nothing yet: what the turn stands for is not on the disk. */
  held = false;
  /** The readers that have not stopped. */
  readers = 0;
  /** Whether anybody read when the log was closed. */
  #readAtEnd = false;
  /** Puts what is still pending into the log; called once a tick in which there is something new. */
  readonly settle: () => void;
  readonly #ticks: Ticks;
  #waiting = new Set<() => void>();

  constructor(turnId: string, base: number, settle: () => void, ticks: Ticks) {
    this.turn_id = turnId;
    this.base = base;
    this.settle = settle;
    this.#ticks = ticks;
  }

  append(type: Event['type'], json: string): void {
    const text = frameText(`${this.turn_id}.${this.base + this.frames.length}`, json);
    this.frames.push({ type, text });
    this.chars += text.length;
  }

  /** Drops an event. Its place stays, so that the ids of the others stay too. */
  blank(at: number): void {
    this.chars -= (this.frames[at] as Frame).text.length;
    this.frames[at] = BLANK;
  }

  /** Calls back once, at the next wake; the same callback only once. */
  wait(callback: () => void): void {
    this.#waiting.add(callback);
  }

  /** Takes a `wait` back. */
  forget(callback: () => void): void {
    this.#waiting.delete(callback);
  }

  /** Wakes the readers once for all events of a tick. */
  scheduleWake(): void {
    this.#ticks.schedule(this);
  }

  /** A reader is about to take frames. */
  telling(): void {
    this.#ticks.telling();
  }

  /** Readers get nothing until this resolves; where it rejects, they never get anything. */
  hold(until: Promise<void>): void {
    this.held = true;
    until.then(
      () => {
        this.held = false;
        this.scheduleWake();
      },
      () => {
        this.frames.length = 0;
        this.close();
      },
    );
  }

  /** Whether somebody reads, or did when the log was closed. */
  get read(): boolean {
    return this.closed ? this.#readAtEnd : this.readers > 0;
  }

  /** Ends all readers behind the last frame. */
  close(): void {
    if (!this.closed) this.#readAtEnd = this.readers > 0;
    this.closed = true;
    this.wake();
  }

  wake(): void {
    const waiting = this.#waiting;
    if (waiting.size === 0) return;
    this.#waiting = new Set();
    for (const callback of waiting) callback();
  }
}
