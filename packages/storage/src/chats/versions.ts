/** Stores the versions of chats that are not their present (EDIT-2). */
import type { ChatRef, ListedVersion, StoredMessage, VersionRecord, VersionStore } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Transactions } from '../database/transactions.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { giveBackPositions, idOf, readChat, takePositions, updateChat } from './chat-rows.ts';
import { decode, lastCompaction } from './messages.ts';
import { moveIn, moveOut } from './version-moves.ts';

type VersionRow = Schema['versions'];

export const versionStore = (transactions: Transactions): VersionStore => ({
  list: chatId => transactions.read(db => listVersions(db, chatId)),
  listAt: (chatId, from, to) => transactions.read(db => listVersionsAt(db, chatId, from, to)),
  messages: (chatId, versionId, position, limit) =>
    transactions.read(db => messagesOfVersion(db, chatId, versionId, position, limit)),
  activate: (chat, versionId, now) => transactions.write(db => activate(db, chat, versionId, now)),
});

async function listVersions(db: Db, chatId: string): Promise<ListedVersion[]> {
  const rows = await db
    .selectFrom('versions')
    .innerJoin('version_messages', 'version_messages.id', 'versions.id')
    .leftJoin('turns', 'turns.id', 'version_messages.turn_id')
    .selectAll('version_messages')
    .select(eb => [
      'versions.inside',
      'turns.model as turn_model',
      eb
        .selectFrom('version_messages as each')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('each.version_id', '=', 'versions.id')
        .as('messages'),
    ])
    .where('versions.chat_id', '=', chatId)
    .orderBy('versions.id')
    .execute();
  return rows.map(({ inside, turn_model, messages, version_id, ...first }) => ({
    id: version_id,
    inside,
    position: first.position,
    first: decode({ ...first, chat_id: chatId, text_id: null }),
    messages: Number(messages),
    model: turn_model,
  }));
}

function listVersionsAt(db: Db, chatId: string, from: number, to: number): Promise<VersionRecord[]> {
  return db
    .selectFrom('versions')
    .select(['id', 'inside', 'position'])
    .where('chat_id', '=', chatId)
    .where('inside', 'is', null)
    .where('position', '>=', from)
    .where('position', '<=', to)
    .orderBy('id')
    .execute();
}

async function messagesOfVersion(
  db: Db,
  chatId: string,
  versionId: string,
  position: number,
  limit: number,
): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom('version_messages')
    .innerJoin('versions', 'versions.id', 'version_messages.version_id')
    .selectAll('version_messages')
    .where('versions.chat_id', '=', chatId)
    .where('version_messages.version_id', '=', versionId)
    .where('version_messages.position', '>=', position)
    .where('version_messages.position', '<', position + limit)
    .orderBy('version_messages.position')
    .execute();
  return rows.map(({ version_id: _, ...row }) => decode({ ...row, chat_id: chatId, text_id: null }));
}

async function activate(db: Db, chat: ChatRef, id: string, now: string): Promise<string | null | undefined> {
  const chatId = idOf(chat);
  // Locks the row of the chat.
  await takePositions(db, chat, 0);
  const target = await findVersion(db, chatId, id);
  if (target === undefined) return (await isPresent(db, chatId, id)) ? null : undefined;
  let changed: string | undefined;
  for (const version of await withOuter(db, target)) {
    const left = await swap(db, version);
    changed ??= left ?? version.id;
  }
  const [last] = await db
    .selectFrom('messages')
    .select('created_at')
    .where('chat_id', '=', chatId)
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .execute();
  await updateChat(db, chatId, {
    // The tokens of the other history are unknown until the next provider request.
    context_tokens: 0,
    last_message_at: last?.created_at ?? null,
    updated_at: now,
  });
  return changed;
}

/** The version with this id, or the one whose message with this id is at a place of versions. */
async function findVersion(db: Db, chatId: string, id: string): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`
    select versions.* from versions
    left join version_messages on version_messages.version_id = versions.id and version_messages.id = ${id}
    where versions.chat_id = ${chatId} and (versions.id = ${id} or version_messages.id is not null and exists (
      select 1 from versions as other
      where other.chat_id = ${chatId} and other.inside = versions.id
        and other.position = version_messages.position
    ))`.execute(db);
  return rows[0];
}

/** Whether a message of the present has this id and is at a place of versions. */
async function isPresent(db: Db, chatId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .innerJoin('versions', join =>
      join
        .onRef('versions.chat_id', '=', 'messages.chat_id')
        .onRef('versions.position', '=', 'messages.position')
        .on('versions.inside', 'is', null),
    )
    .select('messages.id')
    .where('messages.id', '=', id)
    .where('messages.chat_id', '=', chatId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A version after those that contain it, the outermost first. */
async function withOuter(db: Db, target: VersionRow): Promise<VersionRow[]> {
  const chain = [target];
  for (let { inside } = target; inside !== null; ) {
    const outer = await db
      .selectFrom('versions')
      .selectAll()
      .where('id', '=', inside)
      .executeTakeFirstOrThrow();
    chain.unshift(outer);
    inside = outer.inside;
  }
  return chain;
}

/** Exchanges a version and the present content of its place. Resolves with the id of the first message that left, if any. */
async function swap(db: Db, { id, chat_id, position, summary }: VersionRow): Promise<string | undefined> {
  const first = await db
    .selectFrom('messages')
    .select('id')
    .where('chat_id', '=', chat_id)
    .where('position', '=', position)
    .executeTakeFirst();
  if (first) {
    const { kept, leaving } = await splitSummary(db, chat_id, position);
    await giveBackPositions(db, chat_id, position, {});
    await setSummary(db, chat_id, kept);
    await moveOut(db, { chat_id, position, id: first.id, summary: leaving });
  }
  await takePositions(db, chat_id, await moveIn(db, chat_id, id));
  if (summary !== null) await setSummary(db, chat_id, summary);
  return first?.id;
}

const setSummary = (db: Db, chatId: string, summary: string | null) =>
  db.updateTable('chats').set({ summary }).where('id', '=', chatId).execute();

/** The summary that remains if the messages from a position on leave, and the one that they take along, as JSON. */
async function splitSummary(
  db: Db,
  chatId: string,
  position: number,
): Promise<{ kept: string | null; leaving: string | null }> {
  const summary = (await readChat(db, chatId))?.summary ?? null;
  if (summary === null) return { kept: null, leaving: null };
  const last = await db
    .selectFrom('messages')
    .select('position')
    .where('id', '=', summary.upto_message)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
  if (last && (last.position ?? 0) < position) return { kept: json(summary), leaving: json(summary) };
  const marker = await lastCompaction(db, chatId, position);
  const folded = marker?.content.find(block => block.internal?.compaction)?.internal?.compaction;
  const kept = marker && folded ? json({ ...folded, created_at: marker.created_at }) : null;
  return { kept, leaving: json(summary) };
}
