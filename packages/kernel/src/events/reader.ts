/**
 * Reads the kernel's events. A slow reader falls behind; if the log has dropped events that it needs, it gets `reset`.
 */
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';
import { LogReader, type WaitedLog } from '../feed/waited-log.ts';

/** The log as used by a reader; events are numbered from 1. */
export interface EventLog extends Pick<WaitedLog, 'forget' | 'readers' | 'wait'> {
  /** True if no event will follow. */
  readonly closed: boolean;
  /** The number of the newest event; 0 before the first. */
  readonly last: number;
  /** The text of an event; undefined if the log has dropped it. */
  frame(n: number): string | undefined;
  idOf(n: number): string;
  /** The number in an event id; undefined if the id is not from this log. */
  numberOf(id: string): number | undefined;
}

const PIECE_CHARS = 64 * 1024;

export class KernelEventsReader extends LogReader<EventLog> implements Reader {
  /** The number of the last event that the reader has read, or that a `reset` covered. */
  #position: number;
  /** Text that is sent before any event. */
  #opening: string;

  constructor(log: EventLog, after: string | undefined) {
    super(log);
    const known = after === undefined ? log.last : log.numberOf(after);
    this.#position = known ?? log.last;
    this.#opening =
      known === undefined ? this.#stamp('reset') : after === undefined ? this.#stamp('opened') : '';
  }

  get ended(): boolean {
    return this.log.closed && this.#opening === '' && this.#position >= this.log.last;
  }

  take(): string {
    let piece = this.#opening;
    this.#opening = '';
    while (this.#position < this.log.last && piece.length < PIECE_CHARS) {
      const frame = this.log.frame(this.#position + 1);
      if (frame === undefined) {
        this.#position = this.log.last;
        return piece + this.#stamp('reset');
      }
      piece += frame;
      this.#position++;
    }
    return piece;
  }

  /**
   * An event for only this reader, with the id of the newest event of the log. `reset` replaces all events before it;
   * `opened` names the position where a reader begins, so that a client that loses its connection before the first
   * event can continue there.
   */
  #stamp(type: 'opened' | 'reset'): string {
    return frameText(this.log.idOf(this.log.last), encoded({ type }));
  }
}
