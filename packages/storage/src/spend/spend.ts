/** Stores tokens and cost per chat and model, and outside of chats. */
import type { SpendRow, SpendStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { readByDay, recordByDay } from './spend-by-day.ts';
import { added, summed, USED } from './sums.ts';

const COUNTED = [...USED, 'turns'] as const;
const COLUMNS = ['model', ...COUNTED] as const;

export const spendStore = (transactions: Transactions): SpendStore => ({
  list: chatId => transactions.read(db => readSpend(db, chatId)),
  listTotals: () => transactions.read(totalSpend),
  listDays: from => transactions.read(db => readByDay(db, from)),
  record: (spend, days = []) =>
    transactions.write(async db => {
      await recordSideSpend(db, spend);
      await recordByDay(db, days);
    }),
});

export async function recordSpend(db: Db, chatId: string, spend: SpendRow): Promise<void> {
  await addSpend(db, { ...spend, chat_id: chatId });
}

const addSpend = compiledOnce((db, row: Schema['spend']) =>
  db
    .insertInto('spend')
    .values(row)
    .onConflict(conflict => conflict.columns(['chat_id', 'model']).doUpdateSet(added('spend', COUNTED))),
);

/** Adds the spend of a chat that is about to be deleted to that outside of chats, so that totals never decrease. */
export async function retainChatSpend(db: Db, chatId: string): Promise<void> {
  for (const spend of await readSpend(db, chatId)) await recordSideSpend(db, spend);
}

/** Records a call that belongs to no chat. */
async function recordSideSpend(db: Db, spend: SpendRow): Promise<void> {
  await db
    .insertInto('side_spend')
    .values(spend)
    .onConflict(conflict => conflict.column('model').doUpdateSet(added('side_spend', COUNTED)))
    .execute();
}

/** Returns a row per model, sorted by model id. */
async function readSpend(db: Db, chatId: string): Promise<SpendRow[]> {
  return db.selectFrom('spend').select(COLUMNS).where('chat_id', '=', chatId).orderBy('model').execute();
}

/** Returns the totals of all chats, including spend outside of chats. */
async function totalSpend(db: Db): Promise<SpendRow[]> {
  return db
    .selectFrom(eb =>
      eb
        .selectFrom('spend')
        .select(COLUMNS)
        .unionAll(eb.selectFrom('side_spend').select(COLUMNS))
        .as('all_spend'),
    )
    .select(['model', ...summed(COUNTED)])
    .groupBy('model')
    .orderBy('model')
    .execute();
}
