/** The fence of a chat: a condition that prevents writes of a former owner (FLEET-2). */
import type { HeldChat } from '@chat-kernel/kernel';
import { type ExpressionWrapper, expressionBuilder, type SqlBool } from 'kysely';
import type { Db, Schema } from '../tables/schema.ts';

/**
 * True if the chat has this epoch. The row is locked until the end of the transaction, so that no other kernel takes
 * over the chat before the write. For databases that several kernels may share: SQLite has no such lock.
 */
export function hasEpoch(chatId: string, epoch: number): ExpressionWrapper<Schema, never, SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Schema, never>();
  return exists(
    selectFrom('chats').select('id').where('id', '=', chatId).where('epoch', '=', epoch).forShare(),
  );
}

/**
 * Checks the owner of a chat for a write to another table on its behalf, later in the same transaction. Throws Fenced.
 */
export async function checkHeld(db: Db, { chat_id, epoch }: HeldChat): Promise<void> {
  if (epoch === undefined) return;
  const row = await db
    .selectFrom('chats')
    .select('id')
    .where('id', '=', chat_id)
    .where('epoch', '=', epoch)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) throw new Fenced(chat_id);
}

/** Thrown for a write on behalf of a former owner of the chat. Callers check its code. */
export class Fenced extends Error {
  readonly code = 'fenced';

  constructor(chatId: string) {
    super(`Chat ${chatId} belongs to another kernel by now.`);
  }
}
