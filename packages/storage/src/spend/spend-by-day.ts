/** Stores spend by day, in chats and outside, independent of the chats' lifetime. */
import type { DaySpend } from '@chat-kernel/kernel';
import { SqliteAdapter, sql } from 'kysely';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db } from '../tables/schema.ts';
import { added, summed, USED } from './sums.ts';

export async function recordByDay(db: Db, days: readonly DaySpend[]): Promise<void> {
  for (const day of days) await addDay(db, day);
}

/**
 * Adds to a row that no other transaction has locked, so that none waits for another one: transactions at the same time
 * have rows of their own, and later ones use these again.
 */
const addDay = compiledOnce((db, row: DaySpend) =>
  db
    .insertInto('day_spend')
    .values({ ...row, part: hasOneWriter(db) ? '' : freePart(row) })
    .onConflict(conflict => conflict.columns(['day', 'model', 'part']).doUpdateSet(added('day_spend', USED))),
);

const freePart = ({ day, model }: DaySpend) => sql<string>`coalesce(
  (select part from day_spend where day = ${day} and model = ${model} limit 1 for update skip locked),
  gen_random_uuid()::text)`;

const hasOneWriter = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

/** @param from first day, YYYY-MM-DD */
export async function readByDay(db: Db, from: string): Promise<DaySpend[]> {
  const since = (table: 'day_spend' | 'spend_by_day') =>
    db
      .selectFrom(table)
      .select(['day', 'model', ...USED])
      .where('day', '>=', from);
  return db
    .selectFrom(since('day_spend').unionAll(since('spend_by_day')).as('parts'))
    .select(['day', 'model', ...summed(USED)])
    .groupBy(['day', 'model'])
    .orderBy('day')
    .orderBy('model')
    .execute();
}
