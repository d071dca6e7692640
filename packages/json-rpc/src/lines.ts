/** Splits bytes into lines. Only \n ends a line; other Unicode line breaks do not. */

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

export class LineTooLong extends Error {}

export class LineSplitter {
  readonly #maxBytes: number;
  /** The beginning of an unfinished line, with free space. The buffer doubles when it is full, so small chunks are cheap. */
  #buffer = EMPTY;
  #bufferedBytes = 0;

  /** @param maxBytes of one line, its \n included */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the lines that end in this chunk, without their \n. @throws LineTooLong when a line exceeds the limit */
  *push(chunk: Buffer): Generator<Buffer, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield this.#takeLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  #takeLine(piece: Buffer): Buffer {
    if (this.#bufferedBytes + piece.length + 1 > this.#maxBytes) throw new LineTooLong();
    if (this.#bufferedBytes === 0) return piece;
    this.#append(piece);
    const line = this.#buffer.subarray(0, this.#bufferedBytes);
    this.#buffer = EMPTY;
    this.#bufferedBytes = 0;
    return line;
  }

  #append(piece: Buffer): void {
    const bytes = this.#bufferedBytes + piece.length;
    if (bytes >= this.#maxBytes) throw new LineTooLong();
    if (bytes > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(bytes, 2 * this.#buffer.length));
      this.#buffer.copy(grown, 0, 0, this.#bufferedBytes);
      this.#buffer = grown;
    }
    piece.copy(this.#buffer, this.#bufferedBytes);
    this.#bufferedBytes = bytes;
  }
}
