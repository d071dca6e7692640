/**
 * The two writes of every turn. They may run in the thread that writes, which loads this file and what it imports, and
 * nothing else of the program.
 */
import type { NewMessage, TurnEntry, TurnRecord, TurnWrite } from '@chat-kernel/kernel';
import type { Procedure, SearchIndex } from '../database/database.ts';
import { claimRun } from '../schedules/claim.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, TurnRow } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { insertChat, takePositions } from './chat-rows.ts';
import { writeChat } from './chat-write.ts';
import { holdKey } from './idempotency-keys.ts';
import { insertMessages } from './message-writes.ts';

export const CREATE_TURN: Procedure<[TurnRecord, NewMessage, TurnEntry, string]> = {
  name: 'create turn',
  work: createTurn,
};

export const WRITE_TURN: Procedure<[TurnWrite]> = { name: 'write turn', work: writeTurn };

/** `forgotten`: keys older than this (RFC 3339) may be taken again. */
async function createTurn(
  db: Db,
  index: SearchIndex,
  turn: TurnRecord,
  message: NewMessage,
  { place, chat, idempotency, run }: TurnEntry,
  forgotten: string,
): Promise<void> {
  if (run?.chat) await insertChat(db, run.chat);
  const position = await takePositions(db, turn.chat_id, place ? 1 : 0, chat);
  if (run) await claimRun(db, turn, run);
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
