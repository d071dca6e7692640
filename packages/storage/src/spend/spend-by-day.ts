/**
 * Stores spend by day, in chats and outside, independent of the chats' lifetime. The cost is unknown by the same rule
 * as in `spend.ts`.
 */
import type { DaySpend } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db } from '../tables/schema.ts';

const COUNTED = [
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cost_usd',
] as const;

export async function recordByDay(db: Db, days: readonly DaySpend[]): Promise<void> {
  for (const row of days) await addDay(db, row);
}

const addDay = compiledOnce((db, row: DaySpend) => {
  const sums = COUNTED.map(column => [
    column,
    sql`${sql.ref(`spend_by_day.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return db
    .insertInto('spend_by_day')
    .values(row)
    .onConflict(conflict => conflict.columns(['day', 'model']).doUpdateSet(Object.fromEntries(sums)));
});

/** @param from first day, YYYY-MM-DD */
export async function readByDay(db: Db, from: string): Promise<DaySpend[]> {
  return db
    .selectFrom('spend_by_day')
    .select(['day', 'model', ...COUNTED])
    .where('day', '>=', from)
    .orderBy('day')
    .orderBy('model')
    .execute();
}
