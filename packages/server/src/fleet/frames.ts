/**
 * Splits a forwarded event stream into complete frames, so that another stream can continue one that broke off, and
 * keeps the id of the newest event.
 */

const FRAME_END = Buffer.from('\n\n');
const ID = Buffer.from('\nid: ');
const DATA = Buffer.from('data: ');
const DONE = Buffer.from('{"type":"done",');
const LINE_END = 0x0a;
const COLON = 0x3a;
const RETRY = Buffer.from('retry:');

export class Frames {
  /** The id of the newest forwarded event; undefined if there is none. */
  lastId: string | undefined;
  /** Whether the newest event was the end of a turn. */
  isDone = false;
  #rest: Buffer = Buffer.alloc(0);
  #isFirst = true;

  /** Accepts a received chunk; returns the bytes to forward. */
  take(chunk: Buffer): Buffer {
    const all = this.#withoutHint(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]));
    const end = wholeLines(
      all,
      all.lastIndexOf(FRAME_END) + (all.includes(FRAME_END) ? FRAME_END.length : 1),
    );
    this.#rest = all.subarray(end);
    const whole = all.subarray(0, end);
    const id = whole.lastIndexOf(ID);
    if (id !== -1) {
      this.isDone = whole.subarray(0, id).lastIndexOf(DONE) > whole.lastIndexOf(DATA, id);
      const from = id + ID.length;
      this.lastId = whole.subarray(from, whole.indexOf(LINE_END, from)).toString('latin1');
    }
    return whole;
  }

  /** Drops an incomplete frame of a broken stream; another stream follows. */
  restart(): void {
    this.#rest = Buffer.alloc(0);
    this.#isFirst = false;
  }

  /** The reconnection delay belongs at the beginning of a stream, not in the middle. */
  #withoutHint(all: Buffer): Buffer {
    if (this.#isFirst || !all.subarray(0, RETRY.length).equals(RETRY)) return all;
    const end = all.indexOf(LINE_END);
    return end === -1 ? all : all.subarray(end + 1);
  }
}

/** Returns the end of the comments and hints before a frame: they are valid without a frame. */
function wholeLines(all: Buffer, from: number): number {
  for (;;) {
    const end = all.indexOf(LINE_END, from);
    const isApart = all[from] === COLON || all.subarray(from, from + RETRY.length).equals(RETRY);
    if (end === -1 || !isApart) return from;
    from = end + 1;
  }
}
