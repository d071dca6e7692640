/** A reader of the kernel's events. A slow one lags; where the log has gone on without it, it is told by `reset`. */
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';

/** What a reader sees of the log; events are numbered from 1. */
export interface EventLog {
  /** No event will follow. */
  readonly closed: boolean;
  /** The number of the newest event; 0 before the first. */
  readonly last: number;
  /** Undefined where it is not kept any more. */
  frame(n: number): string | undefined;
  idOf(n: number): string;
  /** Undefined for an id that this log has not given out. */
  numberOf(id: string): number | undefined;
  /** Calls back once, when there is more to read or the log has closed; the same callback only once. */
  wait(callback: () => void): void;
  /** Takes a `wait` back. */
  forget(callback: () => void): void;
}

const PIECE_CHARS = 64 * 1024;

export class KernelEventsReader implements Reader {
  readonly #log: EventLog;
  /** What it has read, or has been told to read anew. */
  #position: number;
  /** Goes out before any event. */
  #opening: string;
  #callback: (() => void) | null = null;

  constructor(log: EventLog, after: string | undefined) {
    this.#log = log;
    const known = after === undefined ? log.last : log.numberOf(after);
    this.#position = known ?? log.last;
    // Names the place where it begins, without an event: whoever loses the line before the first one can go on there.
    this.#opening = known === undefined ? this.#reset() : `id: ${log.idOf(known)}\n\n`;
  }

  get ended(): boolean {
    return this.#log.closed && this.#opening === '' && this.#position >= this.#log.last;
  }

  take(): string {
    let piece = this.#opening;
    this.#opening = '';
    while (this.#position < this.#log.last && piece.length < PIECE_CHARS) {
      const frame = this.#log.frame(this.#position + 1);
      if (frame === undefined) {
        this.#position = this.#log.last;
        return piece + this.#reset();
      }
      piece += frame;
      this.#position++;
    }
    return piece;
  }

  wait(callback: () => void): void {
    this.#callback = callback;
    this.#log.wait(callback);
  }

  stop(): void {
    if (this.#callback !== null) this.#log.forget(this.#callback);
  }

  /** Its id is that of the newest event that it stands for. */
  #reset(): string {
    return frameText(this.#log.idOf(this.#log.last), encoded({ type: 'reset' }));
  }
}
