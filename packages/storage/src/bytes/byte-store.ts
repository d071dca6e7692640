/** A place where bytes lie, whichever it is: the data directory, the database, or S3. */
import { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface WriteOptions {
  /** The name of the file, for a place where people see it. */
  name?: string | undefined;
  /** Called before anything is sent under an upload that S3 keeps apart until it is whole. */
  onUpload?: (upload: string) => Promise<unknown>;
}

export interface ByteStore {
  /**
   * Resolves with their number once they are durable; what was there under the id is replaced. A piece is no longer needed
   * when the next is asked for. Throws what `bytes` throw; then `remove` takes away what there is.
   */
  write(id: string, bytes: Uint8Array | AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<number>;
  /** All bytes or a range, which is within them; undefined where there are none. The caller has to end the stream. */
  stream(id: string, name?: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes them, whole or half written, if there are any. @param upload what `onUpload` was told */
  remove(id: string, upload?: string | null): Promise<void>;
}

/**
 * The same bytes in lots of one size, the last one smaller; none where there are no bytes. The memory of a lot is used
 * for the next one.
 */
export async function* inLots(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Buffer> {
  const lot = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const piece of piecesOf(bytes)) {
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

export const piecesOf = (
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => (bytes instanceof Uint8Array ? [bytes] : bytes);

/**
 * The pieces as a stream; undefined where there are none. The first is asked for now, so that a caller is told before its
 * answer begins where there is nothing.
 */
export async function streamOf(pieces: AsyncGenerator<Uint8Array>): Promise<Readable | undefined> {
  const first = await pieces.next();
  if (first.done) return undefined;
  const all = async function* () {
    yield first.value;
    yield* pieces;
  };
  return Readable.from(all(), { objectMode: false });
}
