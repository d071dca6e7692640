/** The writes of an imported chat, and of one that has grown. */
import type { ImportGrowth, NewImport } from '@chat-kernel/kernel';
import { insertChat, takePositions } from '../chats/chat-rows.ts';
import { insertMessages } from '../chats/message-writes.ts';
import type { SearchIndex } from '../database/database.ts';
import { recordSpend } from '../spend/spend.ts';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';

export type ImportedChatRows = Pick<NewImport, 'record' | 'chat' | 'messages' | 'spend'>;

/** Thrown where the conversation is not as it was any more; rolls the transaction back. */
export class Stale extends Error {}

/** Throws Stale where the conversation has come already. */
export async function insertImportedChat(
  db: Db,
  index: SearchIndex,
  { record, chat, messages, spend }: ImportedChatRows,
): Promise<void> {
  await insertChat(db, chat);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('imports')
    .values({ ...record, source: plain(record.source), key: plain(record.key) })
    .onConflict(conflict => conflict.columns(['source', 'key']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Stale();
  if (messages.length > 0) {
    await takePositions(db, chat.id, messages.length);
    await insertMessages(db, index, messages, 1);
  }
  for (const row of spend) await recordSpend(db, chat.id, row);
}

/** Throws Stale where the chat has other messages by now, or somebody else has taken what came. */
export async function appendGrowth(
  db: Db,
  index: SearchIndex,
  { record, before, count, changes, messages, spend, epoch }: Omit<ImportGrowth, 'images'>,
): Promise<void> {
  const { chat_id, fingerprint } = record;
  const first = await takePositions(db, chat_id, messages.length, changes, epoch);
  if (first !== count + 1) throw new Stale();
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ fingerprint })
    .where('chat_id', '=', chat_id)
    .where('fingerprint', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Stale();
  await insertMessages(db, index, messages, first);
  for (const row of spend) await recordSpend(db, chat_id, row);
}
