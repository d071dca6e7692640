/** Stores the encoded events of one turn, each at a fixed index, and the readers that wait for more. */
import type { Event } from '@chat-kernel/protocol';
import { type Frame, frameText } from '../base/sse-frame.ts';
import type { FlushScheduler } from './flush-scheduler.ts';
import { WaitedLog } from './waited-log.ts';

/** Replaces dropped events. One shared object, because many snapshots may be dropped. */
const BLANK: Frame = { type: 'tool_progress', text: '' };

export class FrameLog extends WaitedLog {
  readonly frames: Frame[] = [];
  /** The characters of all frames, for the limit on kept feeds. */
  chars = 0;
  readonly turn_id: string;
  /** The number in the id of the first event. */
  readonly base: number;
  /** True if no event will follow. */
  closed = false;
  /** Whether there was a reader when the log was closed. */
  #readAtEnd = false;
  /** Writes pending content to the log; called once per tick with new content. */
  readonly settle: () => void;
  readonly #ticks: FlushScheduler;

  constructor(turnId: string, base: number, settle: () => void, ticks: FlushScheduler) {
    super();
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

  /** Drops an event. Its index stays in use, so that the ids of the others do not change. */
  blank(at: number): void {
    this.chars -= (this.frames[at] as Frame).text.length;
    this.frames[at] = BLANK;
  }

  /** Wakes the readers once for all events of a tick. */
  scheduleWake(): void {
    this.#ticks.schedule(this);
  }

  /** Called when a reader is about to take frames. */
  telling(): void {
    this.#ticks.telling();
  }

  /** Whether there is a reader, or was one when the log was closed. */
  get read(): boolean {
    return this.closed ? this.#readAtEnd : this.readers > 0;
  }

  /** Ends all readers after the last frame. */
  close(): void {
    if (!this.closed) this.#readAtEnd = this.readers > 0;
    this.closed = true;
    this.wake();
  }
}
