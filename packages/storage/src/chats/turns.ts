/** Turns: what started them, their state, and the write by which each step reaches the disk. */
import type { Clock, DroppedTurns, TurnRecord, TurnStore } from '@chat-kernel/kernel';
import { hasEpoch } from '../database/fence.ts';
import type { Transactions } from '../database/transactions.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import { parsed } from '../tables/parsed.ts';
import type { Db, TurnRow } from '../tables/schema.ts';
import { json, plain } from '../tables/text.ts';
import { takePositions, updateChat } from './chat-rows.ts';
import { forgetKeys, KEY_LIFETIME_MS } from './idempotency-keys.ts';
import { deleteWaiting, messagePage, waitingMessages } from './messages.ts';
import { CREATE_TURN, WRITE_TURN } from './turn-writes.ts';

export class SqlTurnStore implements TurnStore {
  readonly #transactions: Transactions;
  readonly #clock: Clock;

  constructor(transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  create: TurnStore['create'] = (turn, message, entry) =>
    this.#transactions.call(CREATE_TURN, turn, message, entry, this.#forgotten());

  get: TurnStore['get'] = (chatId, id) => this.#transactions.read(db => readTurn(db, chatId, id));

  write: TurnStore['write'] = write => this.#transactions.call(WRITE_TURN, write);

  checkpoint: TurnStore['checkpoint'] = copies =>
    this.#transactions.write(async db => {
      for (const { chat_id, id, checkpoint, epoch } of copies) {
        await db
          .updateTable('turns')
          .set({ checkpoint: json(checkpoint) })
          .where('id', '=', id)
          .where('chat_id', '=', chat_id)
          .where('ended_at', 'is', null)
          .$if(epoch !== undefined, query => query.where(hasEpoch(chat_id, epoch as number)))
          .execute();
      }
    });

  drop: TurnStore['drop'] = (chatId, dropped) =>
    this.#transactions.write(db => dropTurns(db, chatId, dropped));

  listUnfinished: TurnStore['listUnfinished'] = chatIds =>
    this.#transactions.read(db => unfinishedTurns(db, chatIds));

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

async function dropTurns(
  db: Db,
  chatId: string,
  { turn_ids, message_ids, ended_at, epoch }: DroppedTurns,
): Promise<void> {
  // Takes the lock of the chat's row, so that none of the messages gets its place meanwhile.
  await takePositions(db, chatId, 0, {}, epoch);
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

/** In the order of their creation. @param chatIds absent: of all chats */
export async function unfinishedTurns(db: Db, chatIds?: readonly string[]): Promise<TurnRecord[]> {
  if (chatIds?.length === 0) return [];
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .$if(chatIds !== undefined, query => query.where('chat_id', 'in', chatIds as string[]))
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
