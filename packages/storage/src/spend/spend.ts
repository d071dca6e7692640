/**
 * The books: tokens and money per chat and model, and what there is to count. Money is null once any part
 * of it is unknown, in a row as in a sum: a total that leaves something out would be a lie.
 */
import type { Counts, SpendRow } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Db } from '../tables/schema.ts';

const COUNTED = [
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cost_usd',
  'turns',
] as const;
const COLUMNS = ['model', ...COUNTED] as const;

export async function addSpend(db: Db, chatId: string, spend: SpendRow): Promise<void> {
  await db
    .insertInto('spend')
    .values({ ...spend, chat_id: chatId })
    .onConflict(conflict => conflict.columns(['chat_id', 'model']).doUpdateSet(added('spend')))
    .execute();
}

/** Of a call that belongs to no chat. */
export async function addSideSpend(db: Db, spend: SpendRow): Promise<void> {
  await db
    .insertInto('side_spend')
    .values(spend)
    .onConflict(conflict => conflict.column('model').doUpdateSet(added('side_spend')))
    .execute();
}

/** One row per model, by model id. */
export async function readSpend(db: Db, chatId: string): Promise<SpendRow[]> {
  return db.selectFrom('spend').select(COLUMNS).where('chat_id', '=', chatId).orderBy('model').execute();
}

/** The same of all chats together, and of what belongs to none. */
export async function totalSpend(db: Db): Promise<SpendRow[]> {
  return db
    .selectFrom(eb =>
      eb
        .selectFrom('spend')
        .select(COLUMNS)
        .unionAll(eb.selectFrom('side_spend').select(COLUMNS))
        .as('all_spend'),
    )
    .select(({ fn }) => [
      'model',
      fn.sum<number>('prompt_tokens').as('prompt_tokens'),
      fn.sum<number>('completion_tokens').as('completion_tokens'),
      fn.sum<number>('reasoning_tokens').as('reasoning_tokens'),
      fn.sum<number>('cached_tokens').as('cached_tokens'),
      // Unlike +, sum() steps over nulls.
      sql<number | null>`case when count(cost_usd) = count(*) then sum(cost_usd) end`.as('cost_usd'),
      fn.sum<number>('turns').as('turns'),
    ])
    .groupBy('model')
    .orderBy('model')
    .execute();
}

/** How many there are. Messages that wait for their turn do not count yet. */
export async function counts(db: Db): Promise<Counts> {
  const chats = await db
    .selectFrom('chats')
    .select(({ fn }) => [
      fn.countAll<number>().as('chats'),
      // Positions have no gaps: the last one is the number of messages.
      fn.coalesce(fn.sum<number>('last_position'), sql<number>`0`).as('messages'),
    ])
    .executeTakeFirstOrThrow();
  const byStatus = await db
    .selectFrom('turns')
    .select(({ fn }) => ['status', fn.countAll<number>().as('turns')])
    .groupBy('status')
    .execute();
  const turns = { queued: 0, sleeping: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const row of byStatus) turns[row.status] = row.turns;
  return { ...chats, turns };
}

/** What a row is and what comes to it, column by column. SQL's own rule is the one wanted: anything plus null is null. */
function added(table: 'spend' | 'side_spend') {
  const sums = COUNTED.map(column => [
    column,
    sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return Object.fromEntries(sums);
}
