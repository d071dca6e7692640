/** Turns: what started them, their state, and the write by which each step reaches the disk. */
import type {
  Clock,
  DroppedTurns,
  NewMessage,
  TurnEntry,
  TurnRecord,
  TurnStore,
  TurnWrite,
} from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, TurnRow } from '../tables/schema.ts';
import { json, parsed, plain } from '../tables/text.ts';
import { takePositions, updateChat } from './chat-rows.ts';
import { writeChat } from './chat-write.ts';
import { forgetKeys, holdKey, KEY_LIFETIME_MS } from './idempotency-keys.ts';
import { deleteWaiting, insertMessages, messagePage, waitingMessages } from './messages.ts';

export class SqlTurnStore implements TurnStore {
  readonly #transactions: Transactions;
  readonly #index: SearchIndex;
  readonly #clock: Clock;

  constructor(transactions: Transactions, index: SearchIndex, clock: Clock) {
    this.#transactions = transactions;
    this.#index = index;
    this.#clock = clock;
  }

  create: TurnStore['create'] = (turn, message, entry) =>
    this.#transactions.write(db => createTurn(db, this.#index, turn, message, entry, this.#forgotten()));

  get: TurnStore['get'] = (chatId, id) => this.#transactions.read(db => readTurn(db, chatId, id));

  write: TurnStore['write'] = write => this.#transactions.write(db => writeTurn(db, this.#index, write));

  checkpoint: TurnStore['checkpoint'] = copies =>
    this.#transactions.write(async db => {
      for (const { chat_id, id, checkpoint } of copies) {
        await db
          .updateTable('turns')
          .set({ checkpoint: json(checkpoint) })
          .where('id', '=', id)
          .where('chat_id', '=', chat_id)
          .where('ended_at', 'is', null)
          .execute();
      }
    });

  drop: TurnStore['drop'] = (chatId, dropped) =>
    this.#transactions.write(db => dropTurns(db, chatId, dropped));

  listUnfinished: TurnStore['listUnfinished'] = () => this.#transactions.read(unfinishedTurns);

  findByKey: TurnStore['findByKey'] = (chatId, key, notBefore) =>
    this.#transactions.read(db => turnByKey(db, chatId, key, notBefore));

  /** For the upkeep: deletes the idempotency keys that have served their time. */
  forgetKeys(): Promise<void> {
    return this.#transactions.write(db => forgetKeys(db, this.#forgotten()));
  }

  /** RFC 3339: older keys count no more. */
  #forgotten(): string {
    return new Date(this.#clock.now() - KEY_LIFETIME_MS).toISOString();
  }
}

/** `forgotten`: keys older than this (RFC 3339) may be taken again. */
async function createTurn(
  db: Db,
  index: SearchIndex,
  turn: TurnRecord,
  message: NewMessage,
  { place, chat, idempotency }: TurnEntry,
  forgotten: string,
): Promise<void> {
  const position = await takePositions(db, turn.chat_id, place ? 1 : 0, chat);
  if (idempotency) await holdKey(db, turn, idempotency, forgotten);
  await insertMessages(db, index, [message], place ? position : null);
  await insertTurn(db, encode(turn));
}

const insertTurn = compiledOnce((db, row: TurnRow) => db.insertInto('turns').values(row));

async function writeTurn(db: Db, index: SearchIndex, write: TurnWrite): Promise<void> {
  const { place, append, spend, days, chat } = write;
  if (place !== undefined || append?.length || spend || days?.length || chat)
    await writeChat(db, index, write);
  await changeTurn(db, write);
}

async function dropTurns(
  db: Db,
  chatId: string,
  { turn_ids, message_ids, ended_at }: DroppedTurns,
): Promise<void> {
  // Takes the lock of the chat's row, so that none of the messages gets its place meanwhile.
  await takePositions(db, chatId, 0);
  await deleteWaiting(db, chatId, message_ids, ended_at);
  const { numUpdatedRows } = await db
    .updateTable('turns')
    .set({ status: 'cancelled', ended_at, stop_reason: 'cancelled', sleep: null })
    .where('chat_id', '=', chatId)
    .where('id', 'in', turn_ids)
    .executeTakeFirst();
  if (Number(numUpdatedRows) !== turn_ids.length) throw new Error(`Chat ${chatId} lacks a turn to drop.`);
  const left = [...(await messagePage(db, chatId, { limit: 1 })), ...(await waitingMessages(db, chatId))];
  const times = left.map(({ created_at }) => created_at).sort();
  await updateChat(db, chatId, { last_message_at: times.at(-1) ?? null, updated_at: ended_at });
}

async function readTurn(db: Db, chatId: string, id: string): Promise<TurnRecord | undefined> {
  const { rows } = await turnRow(db, { id, chatId });
  return rows[0] && decode(rows[0]);
}

const turnRow = compiledOnce((db, { id, chatId }: { id: string; chatId: string }) =>
  db.selectFrom('turns').selectAll().where('id', '=', id).where('chat_id', '=', chatId),
);

/** In the order of their creation. */
export async function unfinishedTurns(db: Db): Promise<TurnRecord[]> {
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .where('status', 'in', ['queued', 'sleeping', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(decode);
}

/** The turn that a key started since `notBefore`, with the fingerprint of its request. */
async function turnByKey(
  db: Db,
  chatId: string,
  key: string,
  notBefore: string,
): Promise<{ turn: TurnRecord; fingerprint: string } | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .innerJoin('turns', 'turns.id', 'idempotency.turn_id')
    .selectAll('turns')
    .select('idempotency.fingerprint')
    .where('idempotency.chat_id', '=', chatId)
    .where('idempotency.key', '=', plain(key))
    .where('idempotency.created_at', '>=', notBefore)
    .executeTakeFirst();
  if (!row) return undefined;
  const { fingerprint, ...turn } = row;
  return { turn: decode(turn), fingerprint };
}

async function changeTurn(db: Db, { turn_id, chat_id, turn }: TurnWrite): Promise<void> {
  const { numAffectedRows } = await updateTurn(db, {
    ...turn,
    effort: json(turn.effort),
    usage: json(turn.usage),
    error: json(turn.error),
    checkpoint: json(turn.checkpoint),
    sleep: json(turn.sleep),
    turn_id,
    chat_id,
  });
  if (numAffectedRows === 0n) throw new Error(`There is no turn ${turn_id} in chat ${chat_id}.`);
}

type Change = Pick<TurnWrite, 'turn_id' | 'chat_id'> & Partial<TurnRow>;
const updateTurn = compiledOnce((db, { turn_id, chat_id, ...changes }: Change) =>
  db
    .updateTable('turns')
    // Set to itself, so that a write without changes of the turn notices as well when it is gone.
    .set(eb => ({ ...changes, created_at: eb.ref('created_at') }))
    .where('id', '=', turn_id)
    .where('chat_id', '=', chat_id),
);

function encode(turn: TurnRecord): TurnRow {
  return {
    ...turn,
    effort: JSON.stringify(turn.effort),
    usage: JSON.stringify(turn.usage),
    error: json(turn.error),
    parameters: JSON.stringify(turn.parameters),
    checkpoint: json(turn.checkpoint),
    sleep: json(turn.sleep),
  };
}

function decode(row: TurnRow): TurnRecord {
  return {
    ...row,
    effort: JSON.parse(row.effort),
    usage: JSON.parse(row.usage),
    error: row.error === null ? null : JSON.parse(row.error),
    parameters: parsed(row.parameters),
    checkpoint: row.checkpoint === null ? null : parsed(row.checkpoint),
    sleep: row.sleep === null ? null : JSON.parse(row.sleep),
  };
}
