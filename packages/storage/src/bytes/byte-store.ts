/** The interface of a backend for bytes: the data directory, the database, or S3. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface WriteOptions {
  /** The name of the file, for backends where users see it. */
  name?: string | undefined;
  /** Called before the first part of a multipart upload is sent to S3. */
  onUpload?: (upload: string) => Promise<unknown>;
}

export interface ByteStore {
  /**
   * Resolves with the number of bytes once they are durable; earlier bytes with this id are replaced. The
   * memory of a piece may be reused when the next one is requested. Rethrows the errors of `bytes`; then call `remove`
   * to delete partial data.
   */
  write(id: string, bytes: Uint8Array | AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<number>;
  /** Returns all bytes or a range of them; undefined if there are none. The caller must end the stream. */
  stream(id: string, name?: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes the bytes if they exist, complete or partly written. @param upload the id that `onUpload` received */
  remove(id: string, upload?: string | null): Promise<void>;
}

/**
 * Yields the same bytes in batches of one size, the last one smaller; none if there are no bytes. The memory of a batch
 * is reused for the next one.
 */
export async function* inBatches(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Buffer> {
  const lot = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const piece of toPieces(bytes)) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + size - filled);
      lot.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < size) continue;
      yield lot;
      filled = 0;
    }
  }
  if (filled > 0) yield lot.subarray(0, filled);
}

const toPieces = (
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => (bytes instanceof Uint8Array ? [bytes] : bytes);

/**
 * Returns the pieces as a stream; undefined if there are none. The first piece is requested immediately, so that a
 * missing file is known before the response begins.
 */
export async function toStream(pieces: AsyncGenerator<Uint8Array>): Promise<Readable | undefined> {
  const first = await pieces.next();
  if (first.done) return undefined;
  const all = async function* () {
    yield first.value;
    yield* pieces;
  };
  return Readable.from(all(), { objectMode: false });
}

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
