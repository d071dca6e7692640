/** Forks chats: copies the messages of a chat into a new one inside of the database; only ids leave it. */
import { setImmediate } from 'node:timers/promises';
import type { ChatFork } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { indexNewIn } from '../search/new-texts.ts';
import { readBlocks } from '../tables/blocks.ts';
import type { Db } from '../tables/schema.ts';
import { insertChat, lastPosition, takePositions, updateChat } from './chat-rows.ts';
import { copyFileUses } from './files.ts';
import { copyImageUses } from './images.ts';
import { insertMessages } from './message-writes.ts';

/** Messages copied before other work can run: SQLite uses the main thread. */
const STEP = 1000;

/** The source and the target of the copies. */
interface MessageCopy {
  parent_id: string;
  branch_id: string;
  /** Position of the first message in the parent. */
  first: number;
  /** The offset from a position in the parent to that in the branch. */
  shift: number;
  /** Ids of the copies so far, in order. */
  ids: string[];
  /** The marker in the branch that replaces all messages before the copied ones. */
  marker_id: string;
}

/** Returns false if the parent was deleted. */
export async function forkChat(
  db: Db,
  database: Pick<Database, 'search' | 'listed'>,
  { branch, parent_id, from, before, marker, closing, newId }: ChatFork,
): Promise<boolean> {
  // Locks the row, so that the parent cannot change during the copy.
  const last = await lastPosition(db, parent_id);
  if (last === undefined) return false;
  const first = Math.max(1, from);
  const length = Math.max(0, Math.min(before - 1, last) - first + 1);
  const copy: MessageCopy = {
    parent_id,
    branch_id: branch.id,
    first,
    shift: 2 - first,
    ids: [],
    marker_id: marker.id,
  };

  // The copies share the texts of the index.
  await indexNewIn(db, database.search);
  await insertChat(db, branch);
  await takePositions(db, branch.id, 1 + length + closing.length);
  await insertMessages(db, [marker], 1);
  while (copy.ids.length < length) {
    const ids = Array.from({ length: Math.min(STEP, length - copy.ids.length) }, newId);
    await copyMessages(db, database, copy, ids);
    copy.ids.push(...ids);
    await setImmediate();
  }
  if (closing.length > 0) await insertMessages(db, closing, 2 + length);
  if (branch.summary) await updateChat(db, branch.id, { summary: await renamed(db, copy, branch.summary) });
  await renameFolds(db, copy);
  await copyFileUses(db, copy);
  await copyImageUses(db, parent_id, branch.id);
  return true;
}

/** Copies the next messages under these ids. */
async function copyMessages(
  db: Db,
  { listed }: Pick<Database, 'listed'>,
  { parent_id, branch_id, first, shift, ids: made }: MessageCopy,
  ids: readonly string[],
): Promise<void> {
  const start = first + made.length;
  // SQLite processes the sides of a cross join in their order, so each id finds its message, and not the other way
  // round. The bounds tell the planner of Postgres that it need not read the whole chat.
  await sql`
    insert into messages
      (id, chat_id, position, role, turn_id, sender, created_at, status, content, marker, text_id)
    select copy.value, ${branch_id}, messages.position + ${shift}, role, turn_id, sender, created_at, status,
      content, marker, text_id
    from ${listed(ids)} as copy
    cross join messages
    where messages.chat_id = ${parent_id} and messages.position = copy.place + ${start}
      and messages.position >= ${start} and messages.position < ${start + ids.length}
  `.execute(db);
}

/** Updates each compaction marker of the branch to name the copy of the last message that it replaces. */
async function renameFolds(db: Db, copy: MessageCopy): Promise<void> {
  const markers = await db
    .selectFrom('messages')
    .select(['id', 'content'])
    .where('chat_id', '=', copy.branch_id)
    .where('marker', '=', 'compaction')
    .execute();
  for (const { id, content } of markers) {
    const blocks = readBlocks({ id, content });
    // A damaged copy is shown as damaged, like its original.
    if (blocks === undefined) continue;
    for (const { internal } of blocks) {
      if (internal?.compaction) internal.compaction = await renamed(db, copy, internal.compaction);
    }
    await db
      .updateTable('messages')
      .set({ content: JSON.stringify(blocks) })
      .where('id', '=', id)
      .execute();
  }
}

/** Keeps the id of a message that is in neither chat. */
async function renamed<Fold extends { upto_message: string }>(
  db: Db,
  { parent_id, first, ids, marker_id }: MessageCopy,
  fold: Fold,
): Promise<Fold> {
  const row = await db
    .selectFrom('messages')
    .select('position')
    .where('id', '=', fold.upto_message)
    .where('chat_id', '=', parent_id)
    .where('position', 'is not', null)
    .executeTakeFirst();
  if (!row) return fold;
  const offset = row.position! - first;
  return { ...fold, upto_message: offset < 0 ? marker_id : (ids[offset] ?? fold.upto_message) };
}
