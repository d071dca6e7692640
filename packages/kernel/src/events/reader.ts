/**
 * A reader of the kernel's events. A slow one lags; where the log has dropped events that it needs, it gets `reset`.
 */
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';

/** The log as a reader sees it; events are numbered from 1. */
export interface EventLog {
  /** No event will follow. */
  readonly closed: boolean;
  /** The number of the newest event; 0 before the first. */
  readonly last: number;
  /** The text of an event; undefined where it is not kept any more. */
  frame(n: number): string | undefined;
  idOf(n: number): string;
  /** The number in an event id; undefined where this log has not given the id out. */
  numberOf(id: string): number | undefined;
  /** Calls back once, when there is more to read or the log has closed; the same callback only once. */
  wait(callback: () => void): void;
  /** Takes a `wait` back. */
  forget(callback: () => void): void;
}

const PIECE_CHARS = 64 * 1024;

export class KernelEventsReader implements Reader {
  readonly #log: EventLog;
  /** The number of the last event that the reader has had, or that a `reset` stood for. */
  #position: number;
  /** Text that goes out before any event. */
  #opening: string;
  #callback: (() => void) | null = null;

  constructor(log: EventLog, after: string | undefined) {
    this.#log = log;
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
    if (this.#callback !== null) this.#log.forget(this.#callback);
  }

  /**
   * An event of this reader alone, with the id of the newest event of the log. `reset` stands for all events before
   * it; `opened` names the place where a reader begins, so that a client that loses its connection before anything
   * happens can go on there.
   */
  #stamp(type: 'opened' | 'reset'): string {
    return frameText(this.#log.idOf(this.#log.last), encoded({ type }));
  }
}
