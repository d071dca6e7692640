/** Single values of the database, each in a row of the table `meta`. */
import type { Db } from './schema.ts';

export async function readMeta(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** @param value null: the row is deleted */
export async function writeMeta(db: Db, key: string, value: string | null): Promise<void> {
  if (value === null) await db.deleteFrom('meta').where('key', '=', key).execute();
  else
    await db
      .insertInto('meta')
      .values({ key, value })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
      .execute();
}

/** Replaces the value in one statement if it is still `before`; null: no row. Returns whether it was. */
export async function swapMeta(
  db: Db,
  key: string,
  before: string | null,
  after: string | null,
): Promise<boolean> {
  if (before === null) {
    if (after === null) return (await readMeta(db, key)) === null;
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('meta')
      .values({ key, value: after })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return Number(numInsertedOrUpdatedRows) > 0;
  }
  if (after === null) {
    const { numDeletedRows } = await db
      .deleteFrom('meta')
      .where('key', '=', key)
      .where('value', '=', before)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('meta')
    .set({ value: after })
    .where('key', '=', key)
    .where('value', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
