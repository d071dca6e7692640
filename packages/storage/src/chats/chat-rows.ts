/** The rows of chats. A row also counts the messages of its chat, which gives them their positions. */
import type { ChatChanges, ChatFilter, ChatRecord } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { Fenced } from '../database/fence.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { ChatRow, Db } from '../tables/schema.ts';
import { json, plain, searchable } from '../tables/text.ts';

/** The epoch of a chat that has had one owner. */
const FIRST_EPOCH = 1;

/** @param owner the id of the kernel whose chat it is from the start; null: nobody's */
export async function insertChat(db: Db, chat: ChatRecord, owner: string | null = null): Promise<void> {
  const { id, created_at, forked_from, forked_at_message, ...rest } = chat;
  await db
    .insertInto('chats')
    .values({
      id,
      created_at,
      forked_from,
      forked_at_message,
      ...encode(rest),
      last_position: 0,
      owner,
      epoch: owner === null ? 0 : FIRST_EPOCH,
    })
    .execute();
}

export async function readChat(db: Db, id: string): Promise<ChatRecord | undefined> {
  const { rows } = await chatRow(db, { id });
  return rows[0] && decode(rows[0]);
}

const chatRow = compiledOnce((db, { id }: Pick<ChatRow, 'id'>) =>
  db.selectFrom('chats').selectAll().where('id', '=', id),
);

/** Newest first. The part of the title is looked for in every chat that the other filters leave. */
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
  return (await query.execute()).map(decode);
}

/** Throws Fenced where the chat has not this epoch. */
export async function updateChat(
  db: Db,
  id: string,
  changes: ChatChanges,
  fence?: number,
): Promise<ChatRecord | undefined> {
  const row = await changeRow(db, id, changes, 0, fence);
  if (!row && fence !== undefined) throw new Fenced(id);
  return row && decode(row);
}

/** Messages, turns, spend, keys, uses of images and approvals of the chat go with the row. */
export async function deleteChatRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('chats').where('id', '=', id).execute();
}

/**
 * Changes a chat and takes `count` positions at its end; returns the first of them. Throws where there is no such chat,
 * and Fenced where it does not have this epoch any more. A transaction that also writes messages, turns, images or
 * approvals of the chat does this first: the row's lock makes all that write to a chat wait for each other.
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

/** Position of the newest placed message, with the row's lock; undefined where there is no such chat. */
export async function lastPosition(db: Db, id: string): Promise<number | undefined> {
  return (await changeRow(db, id, {}, 0))?.last_position;
}

/**
 * Changes a chat and lets its next position be `position`; false, and no change, where it has no message at it or
 * after it.
 */
export async function giveBackPositions(
  db: Db,
  id: string,
  position: number,
  changes: ChatChanges,
  fence?: number,
): Promise<boolean> {
  // Holds the row until the end of the transaction.
  if (fence !== undefined) await updateChat(db, id, {}, fence);
  const { numUpdatedRows } = await db
    .updateTable('chats')
    .set({ ...encode(changes), last_position: position - 1 })
    .where('id', '=', id)
    .where('last_position', '>=', position)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function changeRow(
  db: Db,
  id: string,
  changes: ChatChanges,
  count: number,
  fence?: number,
): Promise<ChatRow | undefined> {
  return (await changedRow(db, { id, count, fence, ...encode(changes) })).rows[0];
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

function encode<Changes extends ChatChanges>(changes: Changes) {
  const { title, workdir, hands, shelf, project, model, toolset, summary, plan, notebook } = changes;
  return {
    ...changes,
    title: plain(title),
    title_search: title ? searchable(plain(title)) : title,
    workdir: plain(workdir),
    hands: plain(hands),
    shelf: plain(shelf),
    project: plain(project),
    model: plain(model),
    toolset: json(toolset),
    summary: json(summary),
    plan: json(plan),
    notebook: json(notebook),
  };
}

function decode(row: ChatRow): ChatRecord {
  const { title_search, last_position, owner, epoch, ...chat } = row;
  return {
    ...chat,
    toolset: JSON.parse(row.toolset),
    summary: row.summary === null ? null : JSON.parse(row.summary),
    plan: JSON.parse(row.plan),
    notebook: JSON.parse(row.notebook),
  };
}
