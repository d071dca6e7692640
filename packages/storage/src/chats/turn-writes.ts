/** The two writes of every turn, and what they write to its chat. */
import type {
  ChatRef,
  IdempotencyKey,
  NewMessage,
  TurnEntry,
  TurnRecord,
  TurnWrite,
} from '@chat-kernel/kernel';
import { Fenced, hasEpoch } from '../database/fence.ts';
import { recordSpend } from '../spend/spend.ts';
import { recordByDay } from '../spend/spend-by-day.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, TurnRow } from '../tables/schema.ts';
import { encode, json, plain } from '../tables/text.ts';
import { giveBackPositions, idOf, insertChat, takePositions } from './chat-rows.ts';
import { claimRun } from './claim-run.ts';
import { insertMessages, placeMessage } from './message-writes.ts';
import { moveOut } from './version-moves.ts';

/** @param forgotten older keys (RFC 3339) may be used again */
export async function createTurn(
  db: Db,
  turn: TurnRecord,
  message: NewMessage,
  { place, chat, idempotency, run, replace, held }: TurnEntry,
  forgotten: string,
): Promise<void> {
  if (run?.chat) await insertChat(db, run.chat, run.owner);
  const written = held ?? turn.chat_id;
  if (replace) await takeOut(db, written, replace);
  const position = await takePositions(db, written, place ? 1 : 0, chat);
  if (run) await claimRun(db, turn, run);
  if (idempotency) await holdKey(db, turn, idempotency, forgotten);
  await insertMessages(db, [message], place ? position : null);
  await insertTurn(db, encode(turn));
}

async function takeOut(
  db: Db,
  of: ChatRef,
  { position, version, chat }: NonNullable<TurnEntry['replace']>,
): Promise<void> {
  const chat_id = idOf(of);
  if (!(await giveBackPositions(db, of, position, chat)))
    throw new Error(`Chat ${chat_id} has no message at position ${position}.`);
  await moveOut(db, { chat_id, position, id: version.id, summary: json(version.summary) });
}

const insertTurn = compiledOnce((db, row: TurnRow) => db.insertInto('turns').values(row));

export async function writeTurn(db: Db, write: TurnWrite): Promise<void> {
  const { place, append, spend, days, chat, epoch } = write;
  const ofChat = place !== undefined || append?.length || spend || days?.length || chat;
  if (ofChat) await writeChat(db, write);
  // If the chat was written, its row is locked by now.
  await changeTurn(db, write, ofChat ? undefined : epoch);
}

async function changeTurn(
  db: Db,
  { turn_id, chat_id, turn }: TurnWrite,
  fence: number | undefined,
): Promise<void> {
  const { numAffectedRows } = await updateTurn(db, {
    ...encode(turn),
    turn_id,
    chat_id,
    fence,
  });
  if (numAffectedRows !== 0n) return;
  throw fence === undefined
    ? new Error(`There is no turn ${turn_id} in chat ${chat_id}.`)
    : new Fenced(chat_id);
}

type Change = Pick<TurnWrite, 'turn_id' | 'chat_id'> & { fence: number | undefined } & Partial<TurnRow>;
const updateTurn = compiledOnce((db, { turn_id, chat_id, fence, ...changes }: Change) =>
  db
    .updateTable('turns')
    // Set to itself, so that a write without changes also detects a deleted turn.
    .set(eb => ({ ...changes, created_at: eb.ref('created_at') }))
    .where('id', '=', turn_id)
    .where('chat_id', '=', chat_id)
    .$if(fence !== undefined, query => query.where(hasEpoch(chat_id, fence as number))),
);

/** Throws Fenced, and if there is no such chat, or `place` names no waiting message of it. */
export async function writeChat(
  db: Db,
  { chat_id, place, append = [], spend, days = [], chat, epoch }: Omit<TurnWrite, 'turn_id' | 'turn'>,
): Promise<void> {
  const count = append.length + (place === undefined ? 0 : 1);
  const position = await takePositions(db, { chat_id, epoch }, count, chat);
  if (place !== undefined) await placeMessage(db, chat_id, place, position);
  if (append.length > 0) await insertMessages(db, append, position + count - append.length);
  if (spend) await recordSpend(db, chat_id, spend);
  if (days.length > 0) await recordByDay(db, days);
}

/** Binds a key to a turn. Throws if another turn of the chat has it, unless that is older than `forgotten`. */
async function holdKey(
  db: Db,
  turn: Pick<TurnRecord, 'id' | 'chat_id'>,
  { key, fingerprint, created_at }: IdempotencyKey,
  forgotten: string,
): Promise<void> {
  const held = await db
    .insertInto('idempotency')
    .values({ chat_id: turn.chat_id, key: plain(key), turn_id: turn.id, fingerprint, created_at })
    .onConflict(conflict =>
      conflict
        .columns(['chat_id', 'key'])
        .doUpdateSet({ turn_id: turn.id, fingerprint, created_at })
        .where('idempotency.created_at', '<', forgotten),
    )
    .returning('turn_id')
    .executeTakeFirst();
  if (!held) throw new Error(`The idempotency key already started a turn in chat ${turn.chat_id}.`);
}
