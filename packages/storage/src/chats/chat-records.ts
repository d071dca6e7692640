/**
 * Reads chats as records. Only this file of the chat rows loads the schemas, so the writer thread does not load them.
 */
import type { ChatChanges, ChatFilter, ChatRecord, ChatRef } from '@chat-kernel/kernel';
import { newChatSettings } from '@chat-kernel/protocol';
import { sql } from 'kysely';
import { CHAT_COLUMNS } from '../tables/chat-columns.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import { decode } from '../tables/decode.ts';
import type { ChatRow, Db } from '../tables/schema.ts';
import { plain, searchable } from '../tables/text.ts';
import { reportUnreadable } from '../tables/unreadable.ts';
import { changeRow } from './chat-rows.ts';

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
