/** Records which messages use which files. A file stays as long as a message uses it. */
import type { NewMessage } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';

/** Records the files of new messages, in the transaction that inserts the messages. Throws if a file was deleted. */
export async function useFiles(db: Db, messages: readonly NewMessage[]): Promise<void> {
  for (const { id: message_id, content, created_at } of messages) {
    const ids = new Set(content.flatMap(block => block.internal?.file?.id ?? []));
    for (const file_id of ids) {
      // Changes the row, so that a concurrent deletion of unused files notices the use.
      const [touched] = await touch(db, [file_id], created_at);
      if (touched === undefined) throw new Error(`There is no file ${file_id}.`);
      await db.insertInto('file_uses').values({ message_id, file_id }).execute();
    }
  }
}

/** Sets the time of their last use; returns the ids that exist. */
export async function touch(db: Db, ids: readonly string[], used_at: string): Promise<string[]> {
  const touched: string[] = [];
  for (const id of ids) {
    const { numUpdatedRows } = await db
      .updateTable('files')
      .set({ used_at })
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) touched.push(id);
  }
  return touched;
}
