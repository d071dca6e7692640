/** The table of bytes that no row needs. */
import type { Db, Folder } from '../tables/schema.ts';

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
