/** The rows of chats. A row also counts the messages of its chat, which determines their positions. */
import type { ChatChanges, ChatRecord } from '@chat-kernel/kernel';
import { Fenced } from '../database/fence.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { ChatRow, Db } from '../tables/schema.ts';
import { encode, plain, searchable } from '../tables/text.ts';

/** The epoch of a chat that has had only one owner. */
const FIRST_EPOCH = 1;

/** @param owner id of the kernel that owns the chat from the start; null: no owner */
export async function insertChat(db: Db, chat: ChatRecord, owner: string | null = null): Promise<void> {
  const { id, created_at, forked_from, forked_at_message, ...rest } = chat;
  await db
    .insertInto('chats')
    .values({
      id,
      created_at,
      forked_from,
      forked_at_message,
      ...encodeChat(rest),
      last_position: 0,
      owner,
      epoch: owner === null ? 0 : FIRST_EPOCH,
    })
    .execute();
}

/** Also deletes the chat's messages, turns, spend, keys, uses of images and approvals. */
export async function deleteChatRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('chats').where('id', '=', id).execute();
}

/**
 * Changes a chat and reserves `count` positions at its end; returns the first of them. Throws if there is no such chat,
 * and Fenced if it no longer has this epoch. A transaction that also writes messages, turns, images or approvals of the
 * chat does this first: the row's lock serializes all writes to a chat.
 */
export async function takePositions(
  db: Db,
  id: string,
  count: number,
  changes: ChatChanges = {},
  fence?: number,
): Promise<number> {
  const row = await changeRow(db, id, changes, count, fence);
  if (!row) throw fence === undefined ? new Error(`There is no chat ${id}.`) : new Fenced(id);
  return row.last_position - count + 1;
}

/** Returns the position of the newest placed message, and locks the row; undefined if there is no such chat. */
export async function lastPosition(db: Db, id: string): Promise<number | undefined> {
  return (await changeRow(db, id, {}, 0))?.last_position;
}

/**
 * Changes a chat and sets its next position to `position`. Returns false and changes nothing if it has no message at or
 * after it.
 */
export async function giveBackPositions(
  db: Db,
  id: string,
  position: number,
  changes: ChatChanges,
  fence?: number,
): Promise<boolean> {
  // Locks the row until the end of the transaction.
  if (fence !== undefined && !(await changeRow(db, id, {}, 0, fence))) throw new Fenced(id);
  const { numUpdatedRows } = await db
    .updateTable('chats')
    .set({ ...encodeChat(changes), last_position: position - 1 })
    .where('id', '=', id)
    .where('last_position', '>=', position)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Changes a chat and increases its last position by `count`; undefined if there is no chat with this id and epoch. */
export async function changeRow(
  db: Db,
  id: string,
  changes: ChatChanges,
  count: number,
  fence?: number,
): Promise<ChatRow | undefined> {
  return (await changedRow(db, { id, count, fence, ...encodeChat(changes) })).rows[0];
}

type Change = Pick<ChatRow, 'id'> & { count: number; fence: number | undefined } & Partial<ChatRow>;
const changedRow = compiledOnce((db, { id, count, fence, ...changes }: Change) =>
  db
    .updateTable('chats')
    .set(eb => ({ ...changes, last_position: eb('last_position', '+', count) }))
    .where('id', '=', id)
    .$if(fence !== undefined, query => query.where('epoch', '=', fence as number))
    .returningAll(),
);

function encodeChat<Changes extends ChatChanges>(changes: Changes) {
  const { title } = changes;
  return {
    ...encode(changes, ['notebook']),
    title_search: title ? searchable(plain(title)) : title,
  };
}
