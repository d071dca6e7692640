/** Notes of edits of files that all kernels of a database read (UNDO-1). */
import type { NotedEdit } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';

/** @param kernel the name of the machine of the kernel that notes it */
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

export async function editsOf(db: Db, chatId: string): Promise<NotedEdit[]> {
  const rows = await db
    .selectFrom('edits')
    .select(['kernel', 'note'])
    .where('chat_id', '=', chatId)
    .orderBy('op_id')
    .execute();
  return rows.map(({ kernel, note }) => ({ ...(JSON.parse(note) as NotedEdit), kernel }));
}
