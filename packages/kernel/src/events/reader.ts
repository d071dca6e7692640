/**
 * Reads the kernel's events. A slow reader falls behind; if the log has dropped events that it needs, it gets `reset`.
 */
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';

/** The log as used by a reader; events are numbered from 1. */
export interface EventLog {
  /** True if no event will follow. */
  readonly closed: boolean;
  /** The number of readers that have not stopped. */
  readers: number;
  /** The number of the newest event; 0 before the first. */
  readonly last: number;
  /** The text of an event; undefined if the log has dropped it. */
  frame(n: number): string | undefined;
  idOf(n: number): string;
  /** The number in an event id; undefined if the id is not from this log. */
  numberOf(id: string): number | undefined;
  /**
   * Calls back once, when there is more to read or the log has closed. Adding the same callback again has no effect.
   */
  wait(callback: () => void): void;
  /** Cancels a `wait`. */
  forget(callback: () => void): void;
}

const PIECE_CHARS = 64 * 1024;

export class KernelEventsReader implements Reader {
  readonly #log: EventLog;
  /** The number of the last event that the reader has read, or that a `reset` covered. */
  #position: number;
  /** Text that is sent before any event. */
  #opening: string;
  #callback: (() => void) | null = null;
  #stopped = false;

  constructor(log: EventLog, after: string | undefined) {
    this.#log = log;
    log.readers++;
    const known = after === undefined ? log.last : log.numberOf(after);
    this.#position = known ?? log.last;
    this.#opening =
      known === undefined ? this.#stamp('reset') : after === undefined ? this.#stamp('opened') : '';
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
        return piece + this.#stamp('reset');
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
    if (!this.#stopped) this.#log.readers--;
    this.#stopped = true;
    if (this.#callback !== null) this.#log.forget(this.#callback);
  }

  /**
   * An event for only this reader, with the id of the newest event of the log. `reset` replaces all events before it;
   * `opened` names the position where a reader begins, so that a client that loses its connection before the first
   * event can continue there.
   */
  #stamp(type: 'opened' | 'reset'): string {
    return frameText(this.#log.idOf(this.#log.last), encoded({ type }));
  }
}
