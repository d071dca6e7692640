/**
 * Stores bytes in S3: one object per id. Large objects are uploaded in parts and exist once the last part has arrived.
 */
import type { Folder } from '../tables/schema.ts';
import { type ByteRange, type ByteStore, inBatches, toStream, type WriteOptions } from './byte-store.ts';
import type { S3Client } from './s3-client.ts';

/** Size of an upload part, which is in memory while it is sent. */
const PART_BYTES = 8 * 1024 * 1024;
/** Size of a read request. */
const PIECE_BYTES = 2 * 1024 * 1024;

export class S3Bytes implements ByteStore {
  readonly #folder: Folder;
  readonly #client: S3Client;

  constructor(folder: Folder, client: S3Client) {
    this.#folder = folder;
    this.#client = client;
  }

  write: ByteStore['write'] = async (id, bytes, options = {}) => {
    const key = this.#key(id);
    const lots = inBatches(bytes, PART_BYTES);
    const first = await lots.next();
    const start = first.done ? Buffer.alloc(0) : first.value;
    if (start.length === PART_BYTES) return await this.#writeParts(key, start, lots, options);
    await this.#client.ask(s3 => s3.putObject(key, start));
    return start.length;
  };

  stream: ByteStore['stream'] = (id, _name, range) => toStream(this.#pieces(this.#key(id), range));

  remove: ByteStore['remove'] = async (id, upload) => {
    const key = this.#key(id);
    if (upload) await this.#client.ask(s3 => s3.abortMultipartUpload(key, upload).catch(unless(NO_UPLOAD)));
    await this.#client.ask(s3 => s3.deleteObject(key).catch(unless(GONE)));
  };

  #key(id: string): string {
    return `${this.#client.place.prefix}${this.#folder}/${id.slice(0, 2)}/${id}`;
  }

  async #writeParts(
    key: string,
    first: Buffer,
    lots: AsyncIterable<Buffer>,
    { onUpload }: WriteOptions,
  ): Promise<number> {
    const upload = await this.#client.ask(s3 => s3.getMultipartUploadId(key));
    await onUpload?.(upload);
    let size = 0;
    const parts: { partNumber: number; etag: string }[] = [];
    const send = async (lot: Buffer) => {
      parts.push(await this.#client.ask(s3 => s3.uploadPart(key, upload, lot, parts.length + 1)));
      size += lot.length;
    };
    await send(first);
    for await (const lot of lots) await send(lot);
    await this.#client.ask(async s3 => {
      const { etag } = await s3.completeMultipartUpload(key, upload, parts);
      // S3 may return status 200 first and report a failure later.
      if (!etag) throw new Error('it could not put the parts together');
    });
    return size;
  }

  async *#pieces(key: string, range?: ByteRange): AsyncGenerator<Buffer> {
    let last = range?.end ?? Number.POSITIVE_INFINITY;
    for (let at = range?.start ?? 0; at <= last; ) {
      const found = await this.#client.get(key, at, Math.min(at + PIECE_BYTES - 1, last));
      if (found === undefined) return;
      last = Math.min(last, found.size - 1);
      at += found.bytes.length;
      yield found.bytes;
    }
  }
}

const GONE: readonly number[] = [404];
/** The upload is missing, or the server cannot abort uploads. */
const NO_UPLOAD: readonly number[] = [404, 405, 501];

const unless = (statuses: readonly number[]) => (error: unknown) => {
  if (!statuses.includes((error as { status?: number }).status ?? 0)) throw error;
};
