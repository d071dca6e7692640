/** The fence of a chat: a condition by which the write of a former owner changes nothing (FLEET-2). */
import { type ExpressionWrapper, expressionBuilder, type SqlBool } from 'kysely';
import type { Db, Schema } from '../tables/schema.ts';

/**
 * True where the chat has this epoch. The row is held until the end of the transaction, so that nobody else takes the
 * chat before the write is made. For databases that several kernels may share: SQLite has no such lock.
 */
export function hasEpoch(chatId: string, epoch: number): ExpressionWrapper<Schema, never, SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Schema, never>();
  return exists(
    selectFrom('chats').select('id').where('id', '=', chatId).where('epoch', '=', epoch).forShare(),
  );
}

/** For a write to another table in the name of the chat's owner, behind this in one transaction. Throws Fenced. */
export async function checkEpoch(db: Db, chatId: string, epoch: number): Promise<void> {
  const held = await db
    .selectFrom('chats')
    .select('id')
    .where('id', '=', chatId)
    .where('epoch', '=', epoch)
    .forShare()
    .executeTakeFirst();
  if (held === undefined) throw new Fenced(chatId);
}

/** A write in the name of an owner that the chat no longer has. Callers know it by its code. */
export class Fenced extends Error {
  readonly code = 'fenced';

  constructor(chatId: string) {
    super(`Chat ${chatId} belongs to another kernel by now.`);
  }
}
