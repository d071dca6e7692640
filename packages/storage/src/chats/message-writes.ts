/** Writes messages. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { NewMessage } from '@chat-kernel/kernel';
import { type Insertable, sql } from 'kysely';
import type { SearchIndex } from '../database/database.ts';
import { hasText, indexWords, listSearchTerms, UNINDEXED } from '../search/new-texts.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';
import { useFiles } from './file-uses.ts';

/** Rows per statement, and between two pauses for other work. */
const ROWS = 50;
/** Messages per statement that deletes them. */
const DELETED = 500;

/**
 * Stores messages at `position` and the following ones, in this order; null: they wait.
 * @param index indexes them at once; absent: they are indexed later
 */
export async function insertMessages(
  db: Db,
  drafts: readonly NewMessage[],
  position: number | null,
  index?: SearchIndex,
): Promise<void> {
  for (let start = 0; start < drafts.length; start += ROWS) {
    if (start > 0) await nextTick();
    const rows = drafts
      .slice(start, start + ROWS)
      .map((draft, offset) => encode(draft, position === null ? null : position + start + offset));
    if (index)
      for (const [place, row] of rows.entries())
        row.text_id = await indexWords(db, index, await listSearchTerms(drafts[start + place]!.content));
    if (rows.length === 1) await insertRow(db, rows[0]!);
    else await db.insertInto('messages').values(rows).execute();
  }
  await useFiles(db, drafts);
}

const insertRow = compiledOnce((db, row: Insertable<Schema['messages']>) =>
  db.insertInto('messages').values(row),
);

/**
 * Deletes the messages of a chat from a position on, in steps: SQLite uses the main thread. Resolves with their number.
 */
export async function deleteMessages(db: Db, chatId: string, position: number): Promise<number> {
  const ofChat = db.deleteFrom('messages').where('chat_id', '=', chatId);
  const { last } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('chat_id', '=', chatId)
    .executeTakeFirstOrThrow();
  let deleted = 0;
  for (let from = position; from <= (last ?? 0); from += DELETED) {
    if (from > position) await nextTick();
    const step = ofChat.where('position', '>=', from).where('position', '<', from + DELETED);
    deleted += Number((await step.executeTakeFirst()).numDeletedRows);
  }
  return deleted;
}

/** Gives a waiting message its position. Throws if no such message waits in the chat. */
export async function placeMessage(db: Db, chatId: string, id: string, position: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({
      position,
      // A waiting message of a version before 0.2 was not indexed.
      text_id: sql<number>`coalesce(text_id, ${sql.lit(UNINDEXED)})`,
    })
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .where('position', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`No message ${id} waits in chat ${chatId}.`);
}

function encode(draft: NewMessage, position: number | null): Insertable<Schema['messages']> {
  return {
    id: draft.id,
    chat_id: draft.chat_id,
    position,
    role: draft.role,
    turn_id: draft.turn_id,
    sender: plain(draft.sender ?? null),
    created_at: draft.created_at,
    status: draft.status,
    content: JSON.stringify(draft.content),
    marker: draft.content.some(block => block.internal?.compaction) ? ('compaction' as const) : null,
    text_id: hasText(draft.content) ? UNINDEXED : null,
  };
}
