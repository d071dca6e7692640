/** Counts all chats, messages and turns, including those of deleted chats, so that no number decreases. */
import type { Counts } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Db, Schema } from '../tables/schema.ts';

/** Messages that wait for their turn do not count yet. */
export async function countAll(db: Db): Promise<Counts> {
  const { chats, messages } = await db
    .selectFrom('chats')
    .select(({ fn }) => [
      fn.countAll<number>().as('chats'),
      // Positions have no gaps, so the last one is the number of messages.
      fn.coalesce(fn.sum<number>('last_position'), sql<number>`0`).as('messages'),
    ])
    .executeTakeFirstOrThrow();
  const counts: Counts = {
    chats,
    messages,
    turns: { queued: 0, sleeping: 0, running: 0, completed: 0, failed: 0, cancelled: 0 },
  };
  const byStatus = await db
    .selectFrom('turns')
    .select(({ fn }) => ['status', fn.countAll<number>().as('turns')])
    .groupBy('status')
    .execute();
  for (const row of byStatus) counts.turns[row.status] += row.turns;
  for (const { what, number } of await db.selectFrom('gone_counts').selectAll().execute()) {
    if (what === 'chats' || what === 'messages') counts[what] += number;
    else counts.turns[what] += number;
  }
  return counts;
}

/**
 * Counts a chat that is about to be deleted, in the transaction that deletes it. This locks a row that all deletions
 * need. It is locked before other chats, so concurrent deletions queue instead of deadlocking.
 */
export const countGoneChat = (db: Db): Promise<void> => addGone(db, 'chats', 1);

/** Counts the messages and turns of a chat that is about to be deleted. */
export async function countGone(db: Db, chatId: string): Promise<void> {
  const turns = await db
    .selectFrom('turns')
    .select(({ fn }) => ['status', fn.countAll<number>().as('number')])
    .where('chat_id', '=', chatId)
    // A turn that has not ended stays in its table; a chat with such a turn is not deleted.
    .where('ended_at', 'is not', null)
    .groupBy('status')
    .execute();
  const { last_position } = await db
    .selectFrom('chats')
    .select('last_position')
    .where('id', '=', chatId)
    .executeTakeFirstOrThrow();
  await addGone(db, 'messages', last_position);
  for (const { status, number } of turns) await addGone(db, status, number);
}

async function addGone(db: Db, what: Schema['gone_counts']['what'], number: number): Promise<void> {
  await db
    .insertInto('gone_counts')
    .values({ what, number })
    .onConflict(conflict =>
      conflict.column('what').doUpdateSet(eb => ({
        number: eb('gone_counts.number', '+', eb.ref('excluded.number')),
      })),
    )
    .execute();
}
