/** Stores turns: their trigger, their state, and the write that makes each step durable. */
import type { ChatRef, Clock, DroppedTurns, SpentTurn, TurnRecord, TurnStore } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import { hasEpoch } from '../database/fence.ts';
import type { Transactions } from '../database/transactions.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import { type ColumnKinds, decode } from '../tables/decode.ts';
import type { Db, TurnRow } from '../tables/schema.ts';
import { json, plain } from '../tables/text.ts';
import { reportUnreadable } from '../tables/unreadable.ts';
import { idOf, takePositions, updateChat } from './chat-rows.ts';
import { deleteWaiting, messagePage, waitingMessages } from './messages.ts';
import { createTurn, writeTurn } from './turn-writes.ts';

/** Minimum lifetime of an idempotency key, in which a repeated request attaches to the first turn. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface SqlTurnStore extends TurnStore {
  /** Part of the regular maintenance: deletes expired idempotency keys. */
  forgetKeys(): Promise<void>;
}

export function turnStore(transactions: Transactions, clock: Clock): SqlTurnStore {
  /** RFC 3339: older keys are expired. */
  const forgotten = () => new Date(clock.now() - KEY_LIFETIME_MS).toISOString();
  return {
    create: (turn, message, entry) =>
      transactions.write(db => createTurn(db, turn, message, entry, forgotten())),
    get: (chatId, id) => transactions.read(db => readTurn(db, chatId, id)),
    getNamed: (chatId, id) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('turns')
          .selectAll()
          .where('id', '=', id)
          .where(eb =>
            eb.or([
              eb('chat_id', '=', chatId),
              eb.exists(
                eb
                  .selectFrom('messages')
                  .select('messages.id')
                  .where('messages.turn_id', '=', id)
                  .where('messages.chat_id', '=', chatId),
              ),
              eb.exists(
                eb
                  .selectFrom('version_messages')
                  .innerJoin('versions', 'versions.id', 'version_messages.version_id')
                  .select('version_messages.id')
                  .where('version_messages.turn_id', '=', id)
                  .where('versions.chat_id', '=', chatId),
              ),
            ]),
          )
          .executeTakeFirst();
        return row && decodeTurn(row);
      }),
    write: write => transactions.write(db => writeTurn(db, write)),
    checkpoint: copies =>
      transactions.write(async db => {
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
      }),
    drop: (chat, dropped) => transactions.write(db => dropTurns(db, chat, dropped)),
    listUnfinished: chatIds => transactions.read(db => unfinishedTurns(db, chatIds)),
    listSpent: (after, limit) => transactions.read(db => spentTurns(db, after, limit)),
    findByKey: (chatId, key, notBefore) => transactions.read(db => turnByKey(db, chatId, key, notBefore)),
    forgetKeys: () =>
      transactions.write(async db => {
        await db.deleteFrom('idempotency').where('created_at', '<', forgotten()).execute();
      }),
  };
}

/**
 * Before a chat and its turns are deleted, moves the turns that its branches refer to into the oldest of these branches
 * (FORK-5).
 */
export async function leaveTurns(db: Db, chatId: string): Promise<void> {
  const copies = sql`from messages where messages.turn_id = turns.id and messages.chat_id <> ${chatId}`;
  await sql`
    update turns set chat_id = (select messages.chat_id ${copies} order by messages.chat_id limit 1)
    where chat_id = ${chatId} and exists (select 1 ${copies})`.execute(db);
  const versions = sql`from version_messages join versions on versions.id = version_messages.version_id
    where version_messages.turn_id = turns.id and versions.chat_id <> ${chatId}`;
  await sql`
    update turns set chat_id = (select versions.chat_id ${versions} order by versions.chat_id limit 1)
    where chat_id = ${chatId} and exists (select 1 ${versions})`.execute(db);
}

async function dropTurns(
  db: Db,
  chat: ChatRef,
  { turn_ids, message_ids, ended_at }: DroppedTurns,
): Promise<void> {
  const chatId = idOf(chat);
  // Locks the chat's row, so that no message gets its position at the same time.
  await takePositions(db, chat, 0);
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
  return rows[0] && decodeTurn(rows[0]);
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
  return rows.map(decodeTurn);
}

async function spentTurns(db: Db, after: string, limit: number): Promise<SpentTurn[]> {
  const rows = await db
    .selectFrom('turns')
    .select(['id', 'created_at', 'model', 'usage', 'parameters'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(row => {
    const { parameters, ...turn } = decode<Pick<TurnRecord, keyof typeof row>>(
      row,
      { usage: 'json', parameters: 'json' },
      damagedIn(row),
    );
    const { anchor, schedule } = parameters;
    return { ...turn, ...(anchor && { anchor }), ...(schedule && { schedule }) };
  });
}

/** Returns the turn that a key started since `notBefore`, with the fingerprint of its request. */
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
  return { turn: decodeTurn(turn), fingerprint };
}

const TURN_COLUMNS: ColumnKinds<TurnRecord> = {
  effort: 'json',
  usage: 'json',
  error: 'json',
  parameters: 'json',
  checkpoint: 'json',
  sleep: 'json',
  outside: 'json',
};

/** Values for damaged columns. A turn whose speaker is unknown gets no rights, and its sources count as outside. */
const DAMAGED: Partial<TurnRecord> = {
  effort: { value: 'off', source: 'global', raised: false },
  usage: { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cached_tokens: 0, cost_usd: null },
  error: {
    code: 'internal',
    message: 'The error of this turn is damaged in the database.',
    retryable: false,
  },
  parameters: { guest: true, machine: 'none' },
  checkpoint: null,
  sleep: null,
  outside: ['unknown'],
};

const damagedIn =
  ({ id }: Pick<TurnRow, 'id'>) =>
  (column: keyof TurnRecord) => {
    reportUnreadable('turns', id);
    return DAMAGED[column];
  };

const decodeTurn = (row: TurnRow): TurnRecord =>
  decode<TurnRecord>({ ...row, outside: row.outside ?? '[]' }, TURN_COLUMNS, damagedIn(row));
