/** How messages are stored. */
import type { NewMessage } from '@chat-kernel/kernel';
import type { Insertable } from 'kysely';
import type { SearchIndex } from '../database/database.ts';
import { indexText } from '../search/message-search.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';
import { useFiles } from './file-uses.ts';

/** Rows of one statement: it takes 32,766 values and no more. */
const ROWS = 1000;

/** Stores messages at `position` and the ones after it, in this order; null: they wait. */
export async function insertMessages(
  db: Db,
  index: SearchIndex,
  drafts: readonly NewMessage[],
  position: number | null,
): Promise<void> {
  const rows = [];
  for (const [offset, draft] of drafts.entries()) {
    const row = encode(draft, position === null ? null : position + offset);
    rows.push({ ...row, text_id: await indexText(db, index, draft.content) });
  }
  if (rows.length === 1) await insertRow(db, rows[0]!);
  else {
    for (let start = 0; start < rows.length; start += ROWS)
      await db
        .insertInto('messages')
        .values(rows.slice(start, start + ROWS))
        .execute();
  }
  await useFiles(db, drafts);
}

const insertRow = compiledOnce((db, row: Insertable<Schema['messages']>) =>
  db.insertInto('messages').values(row),
);

/** Gives a waiting message its position. Throws where no such message waits in the chat. */
export async function placeMessage(
  db: Db,
  index: SearchIndex,
  chatId: string,
  id: string,
  position: number,
): Promise<void> {
  const placed = await db
    .updateTable('messages')
    .set({ position })
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .where('position', 'is', null)
    .returning(['content', 'text_id'])
    .executeTakeFirst();
  if (!placed) throw new Error(`No message ${id} waits in chat ${chatId}.`);
  // Versions before 0.2 indexed a message only here, and some of theirs may still wait.
  if (placed.text_id !== null) return;
  const text_id = await indexText(db, index, JSON.parse(placed.content));
  if (text_id !== null) await db.updateTable('messages').set({ text_id }).where('id', '=', id).execute();
}

function encode(draft: NewMessage, position: number | null) {
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
  };
}
