/** Bytes whose sum is taken on their way. */
import { createHash } from 'node:crypto';
import { piecesOf } from './byte-store.ts';

export class Counted implements AsyncIterable<Uint8Array> {
  readonly #bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  size = 0;

  constructor(bytes: Uint8Array | AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of piecesOf(this.#bytes)) {
      this.#hash.update(piece);
      this.size += piece.length;
      yield piece;
    }
  }

  /** Once they are read to their end: SHA-256 in hexadecimal. */
  sum(): string {
    return this.#hash.digest('hex');
  }
}
