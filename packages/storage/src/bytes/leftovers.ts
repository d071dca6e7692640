/** The table of bytes that no row needs. */
import type { Db, Folder } from '../tables/schema.ts';

/** Whether these bytes are leftovers. */
export async function isLeftover(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('leftovers').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/**
 * Ids of a kind that no other kernel which lives is at.
 * @param kernel which one asks; null: no other has the database, so none of them is anybody's
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

/** For the transaction that deletes the rows of these ids. */
export async function leaveBytes(db: Db, folder: Folder, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.insertInto('leftovers').values({ id, folder, kernel: null }).execute();
}
