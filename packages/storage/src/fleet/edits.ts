/** Stores records of file edits that all kernels of a database can read (UNDO-1). */
import type { NotedEdit } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';
import { decodeReadable } from '../tables/unreadable.ts';

/** @param kernel name of the machine of the recording kernel */
export async function noteEdit(db: Db, kernel: string, chat_id: string, edit: NotedEdit): Promise<void> {
  const { op_id } = edit;
  await db
    .insertInto('edits')
    .values({ op_id, chat_id, kernel: plain(kernel), note: plain(JSON.stringify(edit)) })
    .execute();
}

export async function refusedEdit(db: Db, op_id: string): Promise<void> {
  await db.deleteFrom('edits').where('op_id', '=', op_id).execute();
}

export async function listEdits(db: Db, chatId: string): Promise<NotedEdit[]> {
  const rows = await db
    .selectFrom('edits')
    .select(['op_id', 'kernel', 'note'])
    .where('chat_id', '=', chatId)
    .orderBy('op_id')
    .execute();
  return decodeReadable(
    'edits',
    rows,
    ({ kernel, note }) => ({ ...(JSON.parse(note) as NotedEdit), kernel }),
    ({ op_id }) => op_id,
  );
}
