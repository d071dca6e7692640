/**
 * Rows in the database whose bytes are files. A file that no row needs is named in the table `leftovers` before it
 * exists and until it is gone: the next start finds whatever a crash leaves without looking through any folder, and
 * never touches files of another database in the same directory.
 */
import type { Log } from '@chat-kernel/kernel';
import type { Write } from '../database/transactions.ts';
import type { Db, Folder } from '../tables/schema.ts';
import type { ByteFiles } from './byte-files.ts';

interface NewBytes<Result> {
  id: string;
  name?: string;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  exists(db: Db): Promise<boolean>;
  /** Runs once the bytes are on disk, with their number; the same transaction takes them off the leftovers. */
  insert(db: Db, size: number): Promise<Result>;
}

/** The bytes of a single folder. */
export class StoredBytes {
  readonly files: ByteFiles;
  readonly #folder: Folder;
  readonly #write: Write;
  readonly #log: Log;

  constructor(folder: Folder, files: ByteFiles, write: Write, log: Log) {
    this.#folder = folder;
    this.files = files;
    this.#write = write;
    this.#log = log;
  }

  /** Throws where the row exists already or can't be inserted, or the bytes fail; then nothing of the new ones stays. */
  async keep<Result>({ id, name, bytes, exists, insert }: NewBytes<Result>): Promise<Result> {
    // Refuses an id that could not be a path.
    this.files.path(id);
    await this.#write(async db => {
      if (await exists(db)) throw new Error(`The id ${id} is in ${this.#folder} already.`);
      await this.#leave(db, id);
    });
    try {
      const size = await this.files.write(id, bytes, name);
      return await this.#write(async db => {
        const result = await insert(db, size);
        await this.adopt(db, id);
        return result;
      });
    } catch (error) {
      await this.sweep([id]);
      throw error;
    }
  }

  /** Writes bytes under a new id for a row that a later transaction makes and `adopt` goes with; `sweep` takes them back. */
  async stage(id: string, bytes: Uint8Array): Promise<void> {
    await this.#write(db => this.#leave(db, id));
    await this.files.write(id, bytes);
  }

  /** For the transaction that makes the row of bytes: a row needs them now. */
  async adopt(db: Db, id: string): Promise<void> {
    await db.deleteFrom('leftovers').where('id', '=', id).execute();
  }

  async #leave(db: Db, id: string): Promise<void> {
    await leaveBytes(db, this.#folder, [id]);
  }

  /**
   * Removes the files of those of these ids that are leftovers; without `ids`, of all leftovers of the folder, which
   * is for the start alone: files that are just being written are leftovers, too. A file that can't be removed is
   * left to the next start.
   */
  async sweep(ids?: readonly string[]): Promise<void> {
    for (const id of ids ?? (await this.#write(db => leftovers(db, this.#folder)))) {
      try {
        if (!(await this.#write(db => isLeftover(db, id)))) continue;
        await this.files.remove(id);
        await this.#write(db => db.deleteFrom('leftovers').where('id', '=', id).execute());
      } catch (error) {
        const facts = { id, folder: this.#folder, error };
        this.#log.warn(facts, 'Stored bytes that nothing needs could not be removed.');
      }
    }
  }
}

/** For the transaction that deletes the rows of these ids. */
export async function leaveBytes(db: Db, folder: Folder, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.insertInto('leftovers').values({ id, folder }).execute();
}

async function leftovers(db: Db, folder: Folder): Promise<string[]> {
  const rows = await db.selectFrom('leftovers').select('id').where('folder', '=', folder).execute();
  return rows.map(row => row.id);
}

async function isLeftover(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('leftovers').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
