/** Writes to a chat in one transaction: assigns positions to messages, records spend, and changes the row. */
import type { TurnWrite } from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import { recordSpend } from '../spend/spend.ts';
import { recordByDay } from '../spend/spend-by-day.ts';
import type { Db } from '../tables/schema.ts';
import { takePositions } from './chat-rows.ts';
import { insertMessages, placeMessage } from './message-writes.ts';

/** Throws Fenced, and if there is no such chat, or `place` names no waiting message of it. */
export async function writeChat(
  db: Db,
  index: SearchIndex,
  { chat_id, place, append = [], spend, days = [], chat, epoch }: Omit<TurnWrite, 'turn_id' | 'turn'>,
): Promise<void> {
  const count = append.length + (place === undefined ? 0 : 1);
  const position = await takePositions(db, { chat_id, epoch }, count, chat);
  if (place !== undefined) await placeMessage(db, index, chat_id, place, position);
  if (append.length > 0) await insertMessages(db, index, append, position + count - append.length);
  if (spend) await recordSpend(db, chat_id, spend);
  if (days.length > 0) await recordByDay(db, days);
}
