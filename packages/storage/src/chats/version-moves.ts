/**
 * Moves messages between a chat's present and its versions (EDIT-1). The id of a version is that of its first message.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import { sql } from 'kysely';
import { UNINDEXED } from '../search/new-texts.ts';
import type { Db } from '../tables/schema.ts';

/** Messages per statement. */
const STEP = 500;

/** The columns that a message keeps in a version. */
const KEPT = sql.raw('id, position, role, turn_id, sender, created_at, status, content, marker');

/** The messages of a chat from a position on, which leave its present. */
export interface LeavingVersion {
  chat_id: string;
  position: number;
  /** The id of the first of them. */
  id: string;
  /** The summary of the chat as JSON when they leave it. */
  summary: string | null;
}

/**
 * Moves the messages into a version, and resolves with their number. The caller has locked the chat and given back their
 * positions.
 */
export async function moveOut(db: Db, { chat_id, position, id, summary }: LeavingVersion): Promise<number> {
  // Versions behind the place belong to the leaving messages.
  await db
    .updateTable('versions')
    .set({ inside: id })
    .where('chat_id', '=', chat_id)
    .where('inside', 'is', null)
    .where('position', '>', position)
    .execute();
  await db.insertInto('versions').values({ id, chat_id, inside: null, position, summary }).execute();
  const last = await db
    .selectFrom('messages')
    .select('position')
    .where('chat_id', '=', chat_id)
    .where('position', '>=', position)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const end = last?.position ?? position - 1;
  for await (const [from, to] of steps(position, end)) {
    const leaving = sql`messages.chat_id = ${chat_id} and messages.position between ${from} and ${to}`;
    await sql`
      insert into version_messages (version_id, ${KEPT})
      select ${id}, ${KEPT} from messages where ${leaving}`.execute(db);
    await sql`
      insert into version_file_uses (message_id, file_id)
      select file_uses.message_id, file_uses.file_id
      from messages join file_uses on file_uses.message_id = messages.id
      where ${leaving}`.execute(db);
    await sql`delete from messages where ${leaving}`.execute(db);
  }
  return end - position + 1;
}

/**
 * Moves a version back into its chat, which ends before the place of the version. Resolves with the number of messages.
 * The caller sets the positions of the chat.
 */
export async function moveIn(db: Db, chatId: string, id: string): Promise<number> {
  const { first, last } = await db
    .selectFrom('version_messages')
    .select(({ fn }) => [fn.min('position').as('first'), fn.max('position').as('last')])
    .where('version_id', '=', id)
    .executeTakeFirstOrThrow();
  for await (const [from, to] of steps(Number(first), Number(last))) {
    const returning = sql`version_messages.version_id = ${id}
      and version_messages.position between ${from} and ${to}`;
    await sql`
      insert into messages (chat_id, ${KEPT}, text_id)
      select ${chatId}, ${KEPT}, ${sql.lit(UNINDEXED)} from version_messages where ${returning}`.execute(db);
    await sql`
      insert into file_uses (message_id, file_id)
      select version_file_uses.message_id, version_file_uses.file_id
      from version_messages join version_file_uses on version_file_uses.message_id = version_messages.id
      where ${returning}`.execute(db);
  }
  await db.deleteFrom('versions').where('id', '=', id).execute();
  await db
    .updateTable('versions')
    .set({ inside: null })
    .where('chat_id', '=', chatId)
    .where('inside', '=', id)
    .execute();
  return Number(last) - Number(first) + 1;
}

/** Ranges of positions, both ends included, with a pause between them: SQLite uses the main thread. */
async function* steps(first: number, last: number): AsyncGenerator<[from: number, to: number]> {
  for (let from = first; from <= last; from += STEP) {
    if (from > first) await nextTick();
    yield [from, Math.min(last, from + STEP - 1)];
  }
}
