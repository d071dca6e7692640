/**
 * Manages rows whose bytes are in a backend. Bytes without a row are listed in the table `leftovers` before they exist
 * and until they are deleted. So leftovers of a crash are found without searching folders, and bytes of another
 * database in the same backend are never touched.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Log } from '@chat-kernel/kernel';
import type { Write } from '../database/transactions.ts';
import { isUnavailable, storageUnavailable } from '../database/unavailable.ts';
import type { Db } from '../tables/schema.ts';
import type { ByteBackends } from './backends.ts';
import type { ByteRange } from './byte-store.ts';
import { HashingStream } from './byte-store.ts';
import { type CopySource, copyInto, fileSource } from './copy-into.ts';
import type { DiskCache } from './disk-cache.ts';
import {
  type BytesRow,
  deleteLocation,
  findLocation,
  isLeftover,
  leftoversOfNobody,
  noteBytes,
  reserveLocation,
  twiceStored,
} from './locations.ts';

interface NewBytes<Result> {
  id: string;
  name?: string;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  exists(db: Db): Promise<boolean>;
  /** Runs once the bytes are durable, with their number; the same transaction removes them from the leftovers. */
  insert(db: Db, size: number): Promise<Result>;
}

/** Durable bytes; the checksum is only known outside of the data directory. */
interface WrittenBytes {
  size: number;
  sha256?: string;
}

/** The dependencies for all kinds of bytes. */
interface BytesTools {
  db: Db;
  write: Write;
  /** For bytes outside of the data directory. */
  cache: DiskCache;
  log: Log;
  /** The id of this kernel if several kernels share the database. */
  kernel: string | null;
}

/** The bytes of one kind. */
export class StoredBytes {
  readonly #places: ByteBackends;
  readonly #tools: BytesTools;
  /** The bytes that this process is writing now, or that wait for their row. */
  readonly #coming = new Map<string, WrittenBytes | undefined>();

  constructor(places: ByteBackends, tools: BytesTools) {
    this.#places = places;
    this.#tools = tools;
  }

  /**
   * Stores bytes and their row. Throws if the row exists already or cannot be inserted, or if the bytes fail; then none
   * of the new bytes remain.
   */
  async keep<Result>({ id, name, bytes, exists, insert }: NewBytes<Result>): Promise<Result> {
    await this.#announce(id, exists);
    try {
      const { size } = await this.#store(id, bytes, name);
      return await this.#tools.write(async db => {
        const result = await insert(db, size);
        await this.adopt(db, id);
        return result;
      });
    } catch (error) {
      if (!isGivenUp(error)) {
        await this.sweep([id]);
        throw error;
      }
      await this.#places.of(this.#places.current).remove(id);
      throw storageUnavailable(
        'another kernel took this one for dead, and gave up what it was storing',
        error,
      );
    } finally {
      this.#coming.delete(id);
    }
  }

  /**
   * Writes bytes under a new id. A later transaction creates their row and calls `adopt`; `sweep` deletes them
   * otherwise.
   */
  async stage(id: string, bytes: Uint8Array): Promise<void> {
    await this.#announce(id, async () => false);
    await this.#store(id, bytes);
  }

  /** Marks the bytes as used, in the transaction that creates their row. @throws if they were already given up */
  async adopt(db: Db, id: string): Promise<void> {
    const { numDeletedRows } = await db.deleteFrom('leftovers').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) throw new GivenUp('Another kernel gave up the bytes that were on their way.');
    const written = this.#coming.get(id);
    if (written?.sha256) await noteBytes(db, id, { ...written, upload: null });
  }

  /** Records bytes before they exist. Throws if a row already has them. */
  async #announce(id: string, exists: (db: Db) => Promise<boolean>): Promise<void> {
    const { folder, current: store, files } = this.#places;
    const { write, kernel } = this.#tools;
    // Rejects an id that is not safe as a path.
    files.path(id);
    this.#coming.set(id, undefined);
    try {
      await write(async db => {
        if (await exists(db)) throw new Error(`The id ${id} is in ${folder} already.`);
        await db.insertInto('leftovers').values({ id, folder, kernel }).execute();
        if (store !== 'data_dir') await reserveLocation(db, { id, folder, store });
      });
    } catch (error) {
      this.#coming.delete(id);
      throw error;
    }
  }

  async #store(id: string, bytes: NewBytes<unknown>['bytes'], name?: string): Promise<WrittenBytes> {
    const { current: store } = this.#places;
    const counted = store === 'data_dir' ? undefined : new HashingStream(bytes);
    const onUpload = (upload: string) => this.#tools.write(db => noteBytes(db, id, { upload }));
    const size = await this.#places.of(store).write(id, counted ?? bytes, { name, onUpload });
    const written = { size, ...(counted && { sha256: counted.sum() }) };
    this.#coming.set(id, written);
    return written;
  }

  /** Returns the bytes, all or a range; undefined if there are none. The caller must end the stream. */
  async open(id: string, name?: string, range?: ByteRange): Promise<Readable | undefined> {
    const row = await this.#elsewhere(id);
    if (row === undefined) return await this.#places.files.stream(id, name, range);
    const { size, store } = row;
    if (size === 0) return Readable.from([]);
    const place = this.#places.of(store);
    return await this.#tools.cache.stream({ id, size, load: part => place.stream(id, name, part) }, range);
  }

  /** Returns all bytes in memory; undefined if there are none. */
  async read(id: string): Promise<Uint8Array | undefined> {
    if ((await this.#elsewhere(id)) === undefined) return await this.#places.files.read(id);
    const stream = await this.open(id);
    return stream && (await buffer(stream));
  }

  /** Returns the path of the file; null if the bytes are not on a disk of this machine. */
  async path(id: string, name: string): Promise<string | null> {
    return (await this.#elsewhere(id)) === undefined ? this.#places.files.path(id, name) : null;
  }

  /** Copies the bytes to `<directory>/<steps...>/<id>/<name>`; returns that path. */
  async copyInto(directory: string, steps: readonly string[], id: string, name: string): Promise<string> {
    const row = await this.#elsewhere(id);
    const source: CopySource =
      row === undefined
        ? await fileSource(this.#places.files.path(id, name))
        : {
            size: row.size,
            put: async path => {
              const bytes = await this.open(id, name);
              if (bytes === undefined) throw new Error('The bytes of the file are gone.');
              await pipeline(bytes, createWriteStream(path, { flags: 'wx' }));
            },
          };
    return await copyInto(source, directory, [...steps, id], name);
  }

  /**
   * Removes the bytes of leftovers with these ids; without `ids`, of all leftovers that no living kernel is working on.
   * Failed removals are left to a later sweep.
   */
  async sweep(ids?: readonly string[]): Promise<void> {
    const { write, kernel, log } = this.#tools;
    const { folder } = this.#places;
    for (const id of ids ?? (await this.#abandoned())) {
      this.#coming.delete(id);
      try {
        if (!(await write(db => isLeftover(db, id)))) continue;
        await this.#remove(id);
        await write(async db => {
          await deleteLocation(db, id);
          await db.deleteFrom('leftovers').where('id', '=', id).execute();
        });
      } catch (error) {
        log.warn({ id, folder, kernel, error }, 'Stored bytes that nothing needs could not be removed.');
        // If the backend is unreachable, each of the others would wait for it.
        if (isUnavailable(error)) return;
      }
    }
  }

  /** Removes second copies that an interrupted move has left. */
  async sweepCopies(): Promise<void> {
    const { write, db } = this.#tools;
    for (const id of await twiceStored(db, this.#places.folder)) {
      const row = await findLocation(db, id);
      if (row?.also && row.also !== row.store) await this.#places.of(row.also).remove(id, row.upload);
      await write(transaction => noteBytes(transaction, id, { also: null, upload: null }));
    }
  }

  async #abandoned(): Promise<string[]> {
    const { write, kernel } = this.#tools;
    const ids = await write(db => leftoversOfNobody(db, this.#places.folder, kernel));
    return ids.filter(id => !this.#coming.has(id));
  }

  async #remove(id: string): Promise<void> {
    const row = this.#places.areSeveral ? await findLocation(this.#tools.db, id) : undefined;
    for (const store of new Set([row?.store ?? 'data_dir', row?.also])) {
      if (store) await this.#places.of(store).remove(id, row?.upload);
    }
    if (row) await this.#tools.cache.drop(id);
  }

  /** Returns the location of the bytes if they are not in the data directory. */
  async #elsewhere(id: string): Promise<(BytesRow & { size: number }) | undefined> {
    if (!this.#places.areSeveral) return undefined;
    const row = await findLocation(this.#tools.db, id);
    return row === undefined || row.store === 'data_dir' || row.size === null
      ? undefined
      : { ...row, size: row.size };
  }
}

/** Another process has removed the unfinished bytes. */
class GivenUp extends Error {}

/** Postgres refuses further chunks of bytes that were given up, because their row was deleted. */
const FOREIGN_KEY = '23503';

function isGivenUp(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return error instanceof GivenUp || (code === FOREIGN_KEY && table === 'byte_chunks');
}
