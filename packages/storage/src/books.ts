/**
 * The books: tokens and money per chat and model, and what there is to count. Money is null once any part
 * of it is unknown, in a row as in a sum: a total that leaves something out would be a lie.
 */
import type { Counts, SpendRow } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Db } from './schema.ts';

export async function addSpend(db: Db, chatId: string, spend: SpendRow): Promise<void> {
  await db
    .insertInto('spend')
    .values({ ...spend, chat_id: chatId })
    .onConflict(conflict =>
      conflict.columns(['chat_id', 'model']).doUpdateSet(eb => ({
        prompt_tokens: eb('spend.prompt_tokens', '+', eb.ref('excluded.prompt_tokens')),
        completion_tokens: eb('spend.completion_tokens', '+', eb.ref('excluded.completion_tokens')),
        reasoning_tokens: eb('spend.reasoning_tokens', '+', eb.ref('excluded.reasoning_tokens')),
        cached_tokens: eb('spend.cached_tokens', '+', eb.ref('excluded.cached_tokens')),
        // SQL's own rule is the one wanted here: anything plus null is null.
        cost_usd: eb('spend.cost_usd', '+', eb.ref('excluded.cost_usd')),
        turns: eb('spend.turns', '+', eb.ref('excluded.turns')),
      })),
    )
    .execute();
}

/** One row per model, by model id. */
export async function readSpend(db: Db, chatId: string): Promise<SpendRow[]> {
  return db
    .selectFrom('spend')
    .select([
      'model',
      'prompt_tokens',
      'completion_tokens',
      'reasoning_tokens',
      'cached_tokens',
      'cost_usd',
      'turns',
    ])
    .where('chat_id', '=', chatId)
    .orderBy('model')
    .execute();
}

/** The same of all chats together. */
export async function totalSpend(db: Db): Promise<SpendRow[]> {
  return db
    .selectFrom('spend')
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
