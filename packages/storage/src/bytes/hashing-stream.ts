/** A stream that counts and hashes the bytes passing through it. */
import { createHash } from 'node:crypto';
import { toPieces } from './byte-store.ts';

export class HashingStream implements AsyncIterable<Uint8Array> {
  readonly #bytes: Uint8Array | AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  size = 0;

  constructor(bytes: Uint8Array | AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of toPieces(this.#bytes)) {
      this.#hash.update(piece);
      this.size += piece.length;
      yield piece;
    }
  }

  /** Valid once all bytes were read: SHA-256 in hexadecimal. */
  sum(): string {
    return this.#hash.digest('hex');
  }
}
