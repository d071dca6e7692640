/** Stores bytes in the database as rows of 256 KiB, so that a range reads only the rows it needs. */
import type { Db } from '../tables/schema.ts';
import { type ByteRange, type ByteStore, inBatches, toStream } from './byte-store.ts';

const CHUNK_BYTES = 256 * 1024;
/** Chunks per database request. */
const BATCH_SIZE = 4;
/** Chunks that one statement removes. */
const REMOVED = 64;

/** Requires a row in `stored_bytes` for each id: otherwise its chunks are refused. */
export class PostgresChunks implements ByteStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  write: ByteStore['write'] = async (id, bytes) => {
    await this.remove(id);
    let [n, size] = [0, 0];
    for await (const lot of inBatches(bytes, BATCH_SIZE * CHUNK_BYTES)) {
      const rows = [];
      for (let at = 0; at < lot.length; at += CHUNK_BYTES)
        rows.push({ id, n: n++, bytes: lot.subarray(at, at + CHUNK_BYTES) });
      await this.#db.insertInto('byte_chunks').values(rows).execute();
      size += lot.length;
    }
    return size;
  };

  stream: ByteStore['stream'] = (id, _name, range) => toStream(this.#pieces(id, range));

  remove: ByteStore['remove'] = async id => {
    const { last } = await this.#db
      .selectFrom('byte_chunks')
      .select(({ fn }) => fn.max('n').as('last'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (let n = 0; n <= (last ?? -1); n += REMOVED) {
      await this.#db
        .deleteFrom('byte_chunks')
        .where('id', '=', id)
        .where('n', '>=', n)
        .where('n', '<', n + REMOVED)
        .execute();
    }
  };

  async *#pieces(id: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY };
    const last = Math.floor(end / CHUNK_BYTES);
    let n = Math.floor(start / CHUNK_BYTES);
    while (n <= last) {
      const rows = await this.#db
        .selectFrom('byte_chunks')
        .select(['n', 'bytes'])
        .where('id', '=', id)
        .where('n', '>=', n)
        .where('n', '<=', Math.min(n + BATCH_SIZE - 1, last))
        .orderBy('n')
        .execute();
      for (const chunk of rows) {
        if (chunk.n !== n) throw new Error(`Chunk ${n} of the bytes ${id} is missing in the database.`);
        const offset = n++ * CHUNK_BYTES;
        yield chunk.bytes.subarray(Math.max(0, start - offset), end + 1 - offset);
      }
      if (rows.length < BATCH_SIZE) return;
    }
  }
}
