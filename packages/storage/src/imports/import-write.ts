/**
 * The write of an imported chat. It may run in the thread that writes, which saves a message between threads for each
 * statement; so it imports nothing of files.
 */
import type { NewImport } from '@chat-kernel/kernel';
import { insertChat, takePositions } from '../chats/chat-rows.ts';
import { insertMessages } from '../chats/message-writes.ts';
import type { Procedure, SearchIndex } from '../database/database.ts';
import { recordSpend } from '../spend/spend.ts';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';

type ImportedChatRows = Pick<NewImport, 'record' | 'chat' | 'messages' | 'spend'>;

export const CREATE_IMPORT: Procedure<[ImportedChatRows]> = {
  name: 'create import',
  work: insertImportedChat,
};

/** Thrown where the conversation has come already; rolls the transaction back. It is known by its code between threads. */
class CameAlready extends Error {
  readonly code = 'came_already';
}

export const cameAlready = (error: unknown): boolean => (error as { code?: unknown }).code === 'came_already';

/** Throws CameAlready. */
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
  if (numInsertedOrUpdatedRows === 0n) throw new CameAlready();
  if (messages.length > 0) {
    await takePositions(db, chat.id, messages.length);
    await insertMessages(db, index, messages, 1);
  }
  for (const row of spend) await recordSpend(db, chat.id, row);
}
