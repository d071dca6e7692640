/** Bytes in the database: rows of 256 KiB, of which a range reads no more than it needs. */
import type { Db } from '../tables/schema.ts';
import { type ByteRange, type ByteStore, inLots, streamOf } from './byte-store.ts';

const CHUNK_BYTES = 256 * 1024;
/** Chunks that go to the database, or come from it, at once. */
const LOT = 4;
/** Chunks that a statement removes. */
const REMOVED = 64;

/** For ids that have their row in `stored_bytes`: the chunks of any other are refused. */
export class PostgresChunks implements ByteStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  write: ByteStore['write'] = async (id, bytes) => {
    await this.remove(id);
    let [n, size] = [0, 0];
    for await (const lot of inLots(bytes, LOT * CHUNK_BYTES)) {
      const rows = [];
      for (let at = 0; at < lot.length; at += CHUNK_BYTES)
        rows.push({ id, n: n++, bytes: lot.subarray(at, at + CHUNK_BYTES) });
      await this.#db.insertInto('byte_chunks').values(rows).execute();
      size += lot.length;
    }
    return size;
  };

  stream: ByteStore['stream'] = (id, _name, range) => streamOf(this.#pieces(id, range));

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
        .where('n', '<=', Math.min(n + LOT - 1, last))
        .orderBy('n')
        .execute();
      for (const chunk of rows) {
        if (chunk.n !== n) throw new Error(`Chunk ${n} of the bytes ${id} is missing in the database.`);
        const offset = n++ * CHUNK_BYTES;
        yield chunk.bytes.subarray(Math.max(0, start - offset), end + 1 - offset);
      }
      if (rows.length < LOT) return;
    }
  }
}
