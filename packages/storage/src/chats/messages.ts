/** Messages. Every page is read along the index (chat_id, position), so its cost is that of its rows alone. */
import {
  type ChatChanges,
  type Clock,
  type MessageRange,
  type MessageStore,
  type Rewound,
  type ShownRange,
  type StoredMessage,
  timestamp,
} from '@chat-kernel/kernel';
import type { Selectable } from 'kysely';
import type { Transactions } from '../database/transactions.ts';
import { parsed } from '../tables/parsed.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { giveBackPositions } from './chat-rows.ts';
import { releaseFiles, releaseFilesOf } from './files.ts';

export class SqlMessageStore implements MessageStore {
  readonly #transactions: Transactions;
  readonly #clock: Clock;

  constructor(transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  get: MessageStore['get'] = (chatId, id) => this.#transactions.read(db => readMessage(db, chatId, id));

  list: MessageStore['list'] = (chatId, range) =>
    this.#transactions.read(db => messagePage(db, chatId, range));

  listShown: MessageStore['listShown'] = (chatId, range) =>
    this.#transactions.read(db => shownPage(db, chatId, range));

  listWaiting: MessageStore['listWaiting'] = chatId =>
    this.#transactions.read(db => waitingMessages(db, chatId));

  listFrom: MessageStore['listFrom'] = (chatId, position, limit) =>
    this.#transactions.read(db => messagesFrom(db, chatId, position, limit));

  listOfTurn: MessageStore['listOfTurn'] = (chatId, turnId) =>
    this.#transactions.read(db => messagesOfTurn(db, chatId, turnId));

  findCompaction: MessageStore['findCompaction'] = (chatId, before) =>
    this.#transactions.read(db => lastCompaction(db, chatId, before));

  rewind: MessageStore['rewind'] = (chatId, position, changes = {}, epoch) =>
    this.#transactions.write(db => rewind(db, chatId, { position, changes, epoch }, timestamp(this.#clock)));
}

async function readMessage(db: Db, chatId: string, id: string): Promise<StoredMessage | undefined> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
  return row && decode(row);
}

/** The messages that wait with their turns. Their ids are in the order in which they came. */
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

/** Oldest first: the newest `limit` messages before another one, where those that wait stand last. */
async function shownPage(db: Db, chatId: string, { limit, before }: ShownRange): Promise<StoredMessage[]> {
  const place = before?.position ?? undefined;
  const waiting = place === undefined ? await waitingMessages(db, chatId) : [];
  const last = waiting.filter(({ id }) => before === undefined || id < before.id).slice(-limit);
  const room = limit - last.length;
  const placed =
    room > 0
      ? await messagePage(db, chatId, { limit: room, ...(place !== undefined && { before: place }) })
      : [];
  // A turn may have begun between the two reads: its message then has its place.
  const begun = new Set(placed.map(({ id }) => id));
  return [...placed, ...last.filter(({ id }) => !begun.has(id))];
}

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
    // Leaves out the waiting ones, as a range of the index.
    .where('position', '>', 0)
    .$if(before !== undefined, query => query.where('position', '<', before!))
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
    .$if(limit !== undefined, query => query.limit(limit!))
    .execute();
  return rows.map(decode);
}

/** Oldest first; a message that still waits comes before all. */
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

/** Deletes messages that wait. Throws where one of them does not. @param now RFC 3339 */
export async function deleteWaiting(
  db: Db,
  chatId: string,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await releaseFilesOf(db, ids, now);
  const { numDeletedRows } = await db
    .deleteFrom('messages')
    .where('chat_id', '=', chatId)
    .where('id', 'in', ids)
    .where('position', 'is', null)
    .executeTakeFirst();
  if (Number(numDeletedRows) !== ids.length) throw new Error(`A message of chat ${chatId} waits no more.`);
}

/** The newest compaction marker before a position. */
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

/** Matches blocks alone: a text with these characters has its quotes escaped in JSON. */
const WITH_CALLS = '%"type":"tool_use"%';

/**
 * Deletes the messages from a position on, and changes the chat with them. Where there are none, nothing changes.
 * Few of many messages have calls, and only those are read. `now`: RFC 3339.
 */
async function rewind(
  db: Db,
  chatId: string,
  { position, changes, epoch }: { position: number; changes: ChatChanges; epoch: number | undefined },
  now: string,
): Promise<Rewound> {
  const from = Math.max(1, position);
  if (!(await giveBackPositions(db, chatId, from, changes, epoch))) return { deleted: 0, with_calls: [] };
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('position', '>=', from)
    .where('content', 'like', WITH_CALLS)
    .orderBy('position')
    .execute();
  await releaseFiles(db, chatId, from, now);
  const { numDeletedRows } = await db
    .deleteFrom('messages')
    .where('chat_id', '=', chatId)
    .where('position', '>=', from)
    .executeTakeFirst();
  return { deleted: Number(numDeletedRows), with_calls: rows.map(decode) };
}

type FoundRow = Selectable<Schema['messages']>;

function decode({ sender, content, marker: _, text_id: __, ...row }: FoundRow): StoredMessage {
  const message = { ...row, content: parsed(content) };
  return sender === null ? message : { ...message, sender };
}
