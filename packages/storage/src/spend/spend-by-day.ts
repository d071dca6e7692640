/** Stores spend by day, in chats and outside, independent of the chats' lifetime. */
import type { DaySpend } from '@chat-kernel/kernel';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { added, summed, USED } from './sums.ts';

/** @param chatId null: outside of chats */
export async function recordByDay(db: Db, days: readonly DaySpend[], chatId: string | null): Promise<void> {
  const part = chatId?.at(-1) ?? '';
  // In one order, so that no two transactions wait for each other.
  const ordered = days.toSorted((a, b) => (a.day + a.model < b.day + b.model ? -1 : 1));
  for (const day of ordered) await addDay(db, { ...day, part });
}

const addDay = compiledOnce((db, row: Schema['day_spend']) =>
  db
    .insertInto('day_spend')
    .values(row)
    .onConflict(conflict => conflict.columns(['day', 'model', 'part']).doUpdateSet(added('day_spend', USED))),
);

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
