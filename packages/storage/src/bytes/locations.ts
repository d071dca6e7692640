/**
 * The rows that record the backend of bytes; bytes without such a row are in the data directory. And the table `leftovers`
 * of bytes that no row needs.
 */
import type { BytePlace } from '@chat-kernel/protocol';
import type { Selectable } from 'kysely';
import type { Db, Folder, Schema } from '../tables/schema.ts';

export type BytesRow = Selectable<Schema['stored_bytes']>;

export const findLocation = (db: Db, id: string): Promise<BytesRow | undefined> =>
  db.selectFrom('stored_bytes').selectAll().where('id', '=', id).executeTakeFirst();

/** Records the backend of bytes before they exist. */
export async function reserveLocation(
  db: Db,
  { id, folder, store }: Pick<BytesRow, 'id' | 'folder' | 'store'>,
): Promise<void> {
  await db
    .insertInto('stored_bytes')
    .values({ id, folder, store, also: null, upload: null, size: null, sha256: null })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
}

export async function noteBytes(
  db: Db,
  id: string,
  facts: Partial<Omit<BytesRow, 'id' | 'folder'>>,
): Promise<void> {
  await db.updateTable('stored_bytes').set(facts).where('id', '=', id).execute();
}

export async function deleteLocation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('stored_bytes').where('id', '=', id).execute();
}

/** Returns the ids of a kind that may have a second copy from a move. */
export async function twiceStored(db: Db, folder: Folder): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_bytes')
    .select('id')
    .where('folder', '=', folder)
    .where('also', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Counts the files of a kind in a data directory. */
export async function countInDataDir(db: Db, folder: Folder): Promise<number> {
  const { count } = await db
    .selectFrom(folder)
    .leftJoin('stored_bytes', 'stored_bytes.id', `${folder}.id`)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ or, eb }) =>
      or([eb('stored_bytes.store', 'is', null), eb('stored_bytes.store', '=', 'data_dir' as BytePlace)]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** True if these bytes are leftovers. */
export async function isLeftover(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('leftovers').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the leftover ids of a kind that no other living kernel is working on.
 * @param kernel id of this kernel; null: no other kernel uses the database, so all leftovers are included
 */
export async function leftoversOfNobody(db: Db, folder: Folder, kernel: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('leftovers')
    .select('id')
    .where('folder', '=', folder)
    .$if(kernel !== null, query =>
      query.where(({ or, eb, selectFrom }) =>
        or([
          eb('kernel', 'is', null),
          eb('kernel', '=', kernel),
          eb('kernel', 'not in', selectFrom('kernels').select('kernels.id')),
        ]),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Adds leftovers, in the transaction that deletes the rows of these ids. */
export async function leaveBytes(db: Db, folder: Folder, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.insertInto('leftovers').values({ id, folder, kernel: null }).execute();
}
