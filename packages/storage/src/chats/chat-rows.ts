/** The rows of chats. A row also counts the messages of its chat, which determines their positions. */
import type { ChatChanges, ChatFilter, ChatRecord, ChatRef } from '@chat-kernel/kernel';
import { newChatSettings } from '@chat-kernel/protocol';
import { sql } from 'kysely';
import { Fenced } from '../database/fence.ts';
import { CHAT_COLUMNS } from '../tables/chat-columns.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import { decode } from '../tables/decode.ts';
import type { ChatRow, Db } from '../tables/schema.ts';
import { encode, plain, searchable } from '../tables/text.ts';
import { reportUnreadable } from '../tables/unreadable.ts';

/** The epoch of a chat that has had only one owner. */
const FIRST_EPOCH = 1;

export async function readChat(db: Db, id: string): Promise<ChatRecord | undefined> {
  const { rows } = await chatRow(db, { id });
  return rows[0] && decodeChat(rows[0]);
}

const chatRow = compiledOnce((db, { id }: Pick<ChatRow, 'id'>) =>
  db.selectFrom('chats').selectAll().where('id', '=', id),
);

/** Newest first. The title text is searched in all chats that match the other filters. */
export async function listChats(db: Db, filter: ChatFilter): Promise<ChatRecord[]> {
  const { before, shelf, project, q } = filter;
  let query = db.selectFrom('chats').selectAll().orderBy('id', 'desc').limit(filter.limit);
  if (before !== undefined) query = query.where('id', '<', before);
  if (shelf !== undefined) query = query.where('shelf', '=', plain(shelf));
  if (project !== undefined) query = query.where('project', '=', plain(project));
  if (q) {
    const pattern = `%${searchable(plain(q)).replaceAll(/[!%_]/g, '!$&')}%`;
    query = query.where(sql<boolean>`title_search like ${pattern} escape '!'`);
  }
  return (await query.execute()).map(decodeChat);
}

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
 * and Fenced. A transaction that also writes messages, turns, images or approvals of the chat does this first: the row's
 * lock serializes all writes to a chat.
 */
export async function takePositions(
  db: Db,
  chat: ChatRef,
  count: number,
  changes: ChatChanges = {},
): Promise<number> {
  const row = await changeRow(db, chat, changes, count);
  if (!row) throw new Error(`There is no chat ${idOf(chat)}.`);
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
  chat: ChatRef,
  position: number,
  changes: ChatChanges,
): Promise<boolean> {
  // Locks the row until the end of the transaction.
  if (epochOf(chat) !== undefined) await changeRow(db, chat, {}, 0);
  const { numUpdatedRows } = await db
    .updateTable('chats')
    .set({ ...encodeChat(changes), last_position: position - 1 })
    .where('id', '=', idOf(chat))
    .where('last_position', '>=', position)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Changes a chat and increases its last position by `count`; undefined if there is no such chat. Throws Fenced if it has
 * had another owner since it was held.
 */
async function changeRow(
  db: Db,
  chat: ChatRef,
  changes: ChatChanges,
  count: number,
): Promise<ChatRow | undefined> {
  const id = idOf(chat);
  const fence = epochOf(chat);
  const [row] = (await changedRow(db, { id, count, fence, ...encodeChat(changes) })).rows;
  if (!row && fence !== undefined) throw new Fenced(id);
  return row;
}

/** Throws Fenced. */
export async function updateChat(
  db: Db,
  chat: ChatRef,
  changes: ChatChanges,
): Promise<ChatRecord | undefined> {
  const row = await changeRow(db, chat, changes, 0);
  return row && decodeChat(row);
}

/** Replaces damaged JSON by a harmless value and reports it: the chat stays in its lists. */
function decodeChat(row: ChatRow): ChatRecord {
  const { title_search, last_position, owner, epoch, ...chat } = row;
  return decode<ChatRecord>(chat, CHAT_COLUMNS, column => {
    reportUnreadable('chats', row.id);
    return { ...newChatSettings({}), summary: null, plan: [], notebook: '' }[column as string];
  });
}

export const idOf = (chat: ChatRef): string => (typeof chat === 'string' ? chat : chat.chat_id);
const epochOf = (chat: ChatRef) => (typeof chat === 'string' ? undefined : chat.epoch);

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
