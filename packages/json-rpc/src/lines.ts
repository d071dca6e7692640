/** Splits bytes into lines. A line ends at \n and at no other character that counts as a line break in texts. */

const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

export class LineTooLong extends Error {}

export class LineSplitter {
  readonly #maxBytes: number;
  /** The beginning of an unfinished line, and free space behind it: doubling keeps even tiny chunks cheap. */
  #begun = NOTHING;
  #begunBytes = 0;

  /** @param maxBytes of one line, its \n included */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the lines that end in this chunk, without their \n. @throws LineTooLong as soon as a line is longer than allowed */
  *push(chunk: Buffer): Generator<Buffer, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield this.#whole(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #whole(piece: Buffer): Buffer {
    if (this.#begunBytes + piece.length + 1 > this.#maxBytes) throw new LineTooLong();
    if (this.#begunBytes === 0) return piece;
    this.#keep(piece);
    const line = this.#begun.subarray(0, this.#begunBytes);
    this.#begun = NOTHING;
    this.#begunBytes = 0;
    return line;
  }

  #keep(piece: Buffer): void {
    const bytes = this.#begunBytes + piece.length;
    if (bytes >= this.#maxBytes) throw new LineTooLong();
    if (bytes > this.#begun.length) {
      const grown = Buffer.allocUnsafe(Math.max(bytes, 2 * this.#begun.length));
      this.#begun.copy(grown, 0, 0, this.#begunBytes);
      this.#begun = grown;
    }
    piece.copy(this.#begun, this.#begunBytes);
    this.#begunBytes = bytes;
  }
}
