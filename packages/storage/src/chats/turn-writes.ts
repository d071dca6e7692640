/** The two writes of every turn. They may run in the writer thread, which loads only this file and its imports. */
import type { ChatRef, NewMessage, TurnEntry, TurnRecord, TurnWrite } from '@chat-kernel/kernel';
import type { Procedure, SearchIndex } from '../database/database.ts';
import { Fenced, hasEpoch } from '../database/fence.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db, TurnRow } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { giveBackPositions, idOf, insertChat, takePositions } from './chat-rows.ts';
import { writeChat } from './chat-write.ts';
import { claimRun } from './claim-run.ts';
import { holdKey } from './idempotency-keys.ts';
import { insertMessages } from './message-writes.ts';
import { moveOut } from './version-moves.ts';

export const CREATE_TURN: Procedure<[TurnRecord, NewMessage, TurnEntry, string]> = {
  name: 'create turn',
  work: createTurn,
};

export const WRITE_TURN: Procedure<[TurnWrite]> = { name: 'write turn', work: writeTurn };

/** `forgotten`: older keys (RFC 3339) may be used again. */
async function createTurn(
  db: Db,
  index: SearchIndex,
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
  await insertMessages(db, index, [message], place ? position : null);
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

async function writeTurn(db: Db, index: SearchIndex, write: TurnWrite): Promise<void> {
  const { place, append, spend, days, chat, epoch } = write;
  const ofChat = place !== undefined || append?.length || spend || days?.length || chat;
  if (ofChat) await writeChat(db, index, write);
  // If the chat was written, its row is locked by now.
  await changeTurn(db, write, ofChat ? undefined : epoch);
}

async function changeTurn(
  db: Db,
  { turn_id, chat_id, turn }: TurnWrite,
  fence: number | undefined,
): Promise<void> {
  const { numAffectedRows } = await updateTurn(db, {
    ...turn,
    effort: json(turn.effort),
    usage: json(turn.usage),
    error: json(turn.error),
    checkpoint: json(turn.checkpoint),
    sleep: json(turn.sleep),
    outside: json(turn.outside),
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

function encode(turn: TurnRecord): TurnRow {
  return {
    ...turn,
    effort: JSON.stringify(turn.effort),
    usage: JSON.stringify(turn.usage),
    error: json(turn.error),
    parameters: JSON.stringify(turn.parameters),
    checkpoint: json(turn.checkpoint),
    sleep: json(turn.sleep),
    outside: JSON.stringify(turn.outside),
  };
}
