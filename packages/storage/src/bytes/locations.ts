/** The rows that record the backend of bytes. Bytes without a row are in the data directory. */
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
