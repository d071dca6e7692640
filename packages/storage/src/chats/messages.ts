/** Reads messages. Every page uses the index (chat_id, position), so its cost depends only on its own rows. */
import {
  type ChatChanges,
  type ChatRef,
  type Clock,
  type LeavingVersion,
  type MessageRange,
  type MessageStore,
  type Rewound,
  type ShownRange,
  type StoredBlock,
  type StoredMessage,
  timestamp,
} from '@chat-kernel/kernel';
import { NOTE_FACTS } from '@chat-kernel/protocol';
import type { Selectable } from 'kysely';
import type { Transactions } from '../database/transactions.ts';
import { readBlocks } from '../tables/blocks.ts';
import { parsed } from '../tables/decode.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { giveBackPositions, idOf } from './chat-rows.ts';
import { deleteVersionsBehind } from './delete-versions.ts';
import { releaseFiles, releaseMessageFiles } from './files.ts';
import { deleteMessages } from './message-writes.ts';
import { moveOut } from './version-moves.ts';

export const messageStore = (transactions: Transactions, clock: Clock): MessageStore => ({
  get: (chatId, id) => transactions.read(db => readMessage(db, chatId, id)),
  list: (chatId, range) => transactions.read(db => messagePage(db, chatId, range)),
  listShown: (chatId, range) => transactions.read(db => shownPage(db, chatId, range)),
  listWaiting: chatId => transactions.read(db => waitingMessages(db, chatId)),
  listFrom: (chatId, position, limit) => transactions.read(db => messagesFrom(db, chatId, position, limit)),
  listOfTurn: (chatId, turnId) => transactions.read(db => messagesOfTurn(db, chatId, turnId)),
  findCompaction: (chatId, before) => transactions.read(db => lastCompaction(db, chatId, before)),
  rewind: (chat, position, changes = {}, keep) =>
    transactions.write(db => rewind(db, chat, { position, changes, keep }, timestamp(clock))),
});

async function readMessage(db: Db, chatId: string, id: string): Promise<StoredMessage | undefined> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
  return row && decode(row);
}

/** Returns the messages that wait with their turns. Their ids sort by arrival. */
export async function waitingMessages(db: Db, chatId: string): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('position', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(decode);
}

/** Oldest first: the newest `limit` messages before another one; waiting messages come last. */
async function shownPage(db: Db, chatId: string, { limit, before }: ShownRange): Promise<StoredMessage[]> {
  const place = before?.position ?? undefined;
  const waiting = place === undefined ? await waitingMessages(db, chatId) : [];
  const last = waiting.filter(({ id }) => before === undefined || id < before.id).slice(-limit);
  const room = limit - last.length;
  const placed =
    room > 0
      ? await messagePage(db, chatId, { limit: room, ...(place !== undefined && { before: place }) })
      : [];
  // A turn may have begun between the two reads: its message then has a position.
  const begun = new Set(placed.map(({ id }) => id));
  return [...placed, ...last.filter(({ id }) => !begun.has(id))];
}

/*
 * Positions of a chat have no gaps. Ranges are bounded on both sides, because `limit` does not bound what Postgres reads:
 * before it has counted the rows of long chats, it reads a half-open range to its end and sorts it.
 */

/** Oldest first: the newest `limit` messages before a position. */
export async function messagePage(
  db: Db,
  chatId: string,
  { limit, before }: MessageRange,
): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    // Excludes waiting messages by a range of the index.
    .where('position', '>', 0)
    .$if(before !== undefined, query =>
      query.where('position', '<', before!).where('position', '>=', before! - limit),
    )
    .$if(before === undefined, query =>
      query.where('position', '>', eb =>
        eb
          .selectFrom('chats')
          .select(chat => chat('last_position', '-', limit).as('start'))
          .where('id', '=', chatId),
      ),
    )
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse().map(decode);
}

/** Oldest first, from a position on. */
export async function messagesFrom(
  db: Db,
  chatId: string,
  position: number,
  limit?: number,
): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('position', '>=', position)
    .orderBy('position')
    .$if(limit !== undefined, query => query.where('position', '<', position + limit!))
    .execute();
  return rows.map(decode);
}

/** Oldest first; a waiting message comes before all others. */
export async function messagesOfTurn(db: Db, chatId: string, turnId: string): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('turn_id', '=', turnId)
    .where('chat_id', '=', chatId)
    .orderBy('position', order => order.asc().nullsFirst())
    .execute();
  return rows.map(decode);
}

/** Deletes waiting messages. Throws if one of them does not wait. @param now RFC 3339 */
export async function deleteWaiting(
  db: Db,
  chatId: string,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await releaseMessageFiles(db, ids, now);
  const { numDeletedRows } = await db
    .deleteFrom('messages')
    .where('chat_id', '=', chatId)
    .where('id', 'in', ids)
    .where('position', 'is', null)
    .executeTakeFirst();
  if (Number(numDeletedRows) !== ids.length) throw new Error(`A message of chat ${chatId} waits no more.`);
}

/** Returns the newest compaction marker before a position. */
export async function lastCompaction(
  db: Db,
  chatId: string,
  before: number,
): Promise<StoredMessage | undefined> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('marker', '=', 'compaction')
    .where('position', '<', before)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && decode(row);
}

interface Rewind {
  position: number;
  changes: ChatChanges;
  keep: LeavingVersion | undefined;
}

/** Matches only blocks: in texts with these characters, JSON escapes the quotes. */
const WITH_CALLS = '%"type":"tool_use"%';

/**
 * Deletes the messages from a position on or moves them into a version, and changes the chat. If there are none,
 * nothing changes. Few messages have calls, and only those are read. `now`: RFC 3339.
 */
async function rewind(
  db: Db,
  chat: ChatRef,
  { position, changes, keep }: Rewind,
  now: string,
): Promise<Rewound> {
  const chatId = idOf(chat);
  const from = Math.max(1, position);
  if (!(await giveBackPositions(db, chat, from, changes))) return { deleted: 0, with_calls: [] };
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('position', '>=', from)
    .where('content', 'like', WITH_CALLS)
    .orderBy('position')
    .execute();
  const with_calls = rows.map(decode);
  if (keep) {
    const summary = json(keep.summary);
    const deleted = await moveOut(db, { chat_id: chatId, position: from, id: keep.id, summary });
    return { deleted, with_calls };
  }
  await releaseFiles(db, chatId, from, now);
  await deleteVersionsBehind(db, chatId, from, now);
  return { deleted: await deleteMessages(db, chatId, from), with_calls };
}

/** A row of `messages`, or one of `version_messages` with the id of its chat. */
type FoundRow = Selectable<Schema['messages']>;

/** Replaces unreadable content, so that the rest of the chat stays readable. */
const UNREADABLE: StoredBlock = {
  type: 'text',
  text: NOTE_FACTS.message_unreadable.text,
  internal: { note: 'message_unreadable' },
};

export function decode({ sender, content, marker: _, text_id: __, ...row }: FoundRow): StoredMessage {
  const message = { ...row, content: readBlocks({ id: row.id, content }, parsed) ?? [UNREADABLE] };
  return sender === null ? message : { ...message, sender };
}
