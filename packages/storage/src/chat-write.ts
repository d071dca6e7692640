/** What happens to a chat in one write: messages find their places, money goes into the books, the row changes. */
import type { TurnWrite } from '@chat-kernel/kernel';
import { takePositions } from './chats.ts';
import type { SearchIndex } from './database.ts';
import { insertMessages, placeMessage } from './messages.ts';
import type { Db } from './schema.ts';
import { addSpend } from './spend.ts';
import { addByDay } from './spend-by-day.ts';

export type ChatWrite = Omit<TurnWrite, 'turn_id' | 'turn'>;

/** Throws where there is no such chat, or `place` names no message that waits in it. */
export async function writeChat(
  db: Db,
  index: SearchIndex,
  { chat_id, place, append = [], spend, days = [], chat }: ChatWrite,
): Promise<void> {
  const count = append.length + (place === undefined ? 0 : 1);
  const position = await takePositions(db, chat_id, count, chat);
  if (place !== undefined) await placeMessage(db, index, chat_id, place, position);
  if (append.length > 0) await insertMessages(db, index, append, position + count - append.length);
  if (spend) await addSpend(db, chat_id, spend);
  if (days.length > 0) await addByDay(db, days);
}
