/**
 * Rows in the database whose bytes are files. A file that no row needs is named in `leftovers` before it exists and
 * until it is gone; so whatever a crash leaves is found at the next start without looking through any folder, and
 * files of another database in the same place are never touched.
 */
import type { Log } from '@chat-kernel/kernel';
import type { Db, Folder } from '../tables/schema.ts';
import type { ByteFiles } from './byte-files.ts';

/** Runs its callback in a transaction. */
export type Write = <Answer>(work: (db: Db) => Promise<Answer>) => Promise<Answer>;

/** One kind of them: what its folder is called, and the way to it and to the database. */
export interface Place {
  folder: Folder;
  files: ByteFiles;
  write: Write;
  log: Log;
}

interface NewBytes<Answer> {
  id: string;
  name?: string;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  exists(db: Db): Promise<boolean>;
  /** Runs once the bytes are on disk, with their number; the transaction also makes them no leftovers. */
  insert(db: Db, size: number): Promise<Answer>;
}

/** Throws where the row exists already or can't be inserted, or the bytes fail; then nothing of the new ones stays. */
export async function keepBytes<Answer>(
  place: Place,
  { id, name, bytes, exists, insert }: NewBytes<Answer>,
): Promise<Answer> {
  const { folder, files, write } = place;
  // Refuses an id that could not be a path.
  files.path(id);
  await write(async db => {
    if (await exists(db)) throw new Error(`The id ${id} is in ${folder} already.`);
    await db.insertInto('leftovers').values({ id, folder }).execute();
  });
  try {
    const size = await files.write(id, bytes, name);
    return await write(async db => {
      const answer = await insert(db, size);
      await db.deleteFrom('leftovers').where('id', '=', id).execute();
      return answer;
    });
  } catch (error) {
    await sweepBytes(place, [id]);
    throw error;
  }
}

/** For the transaction that deletes the rows of these ids. */
export async function leaveBytes(db: Db, folder: Folder, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.insertInto('leftovers').values({ id, folder }).execute();
}

/**
 * Removes the files of those of these ids that are leftovers; without `ids`, of all leftovers of the place, which is
 * for the start alone: the files that are just being written are among them. A file that can't be removed is left to
 * the next start.
 */
export async function sweepBytes(place: Place, ids?: readonly string[]): Promise<void> {
  const { folder, files, write, log } = place;
  for (const id of ids ?? (await write(db => leftovers(db, folder)))) {
    try {
      if (!(await write(db => isLeftover(db, id)))) continue;
      await files.remove(id);
      await write(db => db.deleteFrom('leftovers').where('id', '=', id).execute());
    } catch (error) {
      log.warn({ id, folder, error }, 'Stored bytes that nothing needs could not be removed.');
    }
  }
}

async function leftovers(db: Db, folder: Folder): Promise<string[]> {
  const rows = await db.selectFrom('leftovers').select('id').where('folder', '=', folder).execute();
  return rows.map(row => row.id);
}

async function isLeftover(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('leftovers').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
