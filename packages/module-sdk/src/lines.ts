/** Lines out of bytes: they end at \n and nowhere else (MOD-1). */
import { MAX_LINE_BYTES } from '@chat-kernel/protocol';

const NEWLINE = 0x0a;

export class LineReader {
  #begun: Buffer[] = [];
  #bytes = 0;

  /** The lines that end in this chunk. @throws Error as soon as a line is longer than the protocol allows */
  *push(chunk: Buffer): Generator<string, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      const line = Buffer.concat(this.#begun, this.#bytes).toString('utf8');
      this.#begun = [];
      this.#bytes = 0;
      yield line;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes >= MAX_LINE_BYTES) throw new Error(`a line of more than ${MAX_LINE_BYTES} bytes came`);
    if (piece.length > 0) this.#begun.push(piece);
  }
}
