/** Writes an imported chat, or the new messages of one that has grown. */
import { type BulkChatWriter, type Db, plain } from '@chat-kernel/storage';
import type { ImportGrowth, NewImport } from './records.ts';

export type ImportedChatRows = Pick<NewImport, 'record' | 'chat' | 'messages' | 'spend'>;

/** Thrown if the conversation has changed since it was read; rolls back the transaction. */
export class ConflictError extends Error {}

/** Throws Stale if the conversation was already imported. */
export async function insertImportedChat(
  db: Db,
  chats: BulkChatWriter,
  { record, chat, messages, spend }: ImportedChatRows,
): Promise<void> {
  await chats.insert(db, chat);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('imports')
    .values({ ...record, source: plain(record.source), key: plain(record.key) })
    .onConflict(conflict => conflict.columns(['source', 'key']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new ConflictError();
  await chats.append(db, chat.id, { messages, spend });
}

/** Throws Stale if the chat has other messages by now, or another request has imported the same messages. */
export async function appendGrowth(
  db: Db,
  chats: BulkChatWriter,
  { record, before, count, held, ...growth }: ImportGrowth,
): Promise<void> {
  const { chat_id, fingerprint } = record;
  const first = await chats.append(db, held, growth);
  if (first !== count + 1) throw new ConflictError();
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ fingerprint })
    .where('chat_id', '=', chat_id)
    .where('fingerprint', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ConflictError();
}
