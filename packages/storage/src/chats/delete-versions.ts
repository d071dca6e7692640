/** Deletes versions when the messages before them are deleted (EDIT-4). */
import type { Db } from '../tables/schema.ts';
import { touch } from './file-uses.ts';
import { listVersionFileIds } from './files.ts';

/** Deletes the versions whose place is in the present of a chat, behind a position. @param now RFC 3339 */
export async function deleteVersionsBehind(
  db: Db,
  chatId: string,
  position: number,
  now: string,
): Promise<void> {
  const all = await db.selectFrom('versions').selectAll().where('chat_id', '=', chatId).execute();
  const gone = all.filter(({ inside, position: at }) => inside === null && at > position).map(({ id }) => id);
  // The list grows while it is read: versions inside of a deleted one go with it.
  for (const id of gone) gone.push(...all.filter(({ inside }) => inside === id).map(each => each.id));
  if (gone.length === 0) return;
  await touch(db, await listVersionFileIds(db, chatId, gone), now);
  await db.deleteFrom('versions').where('id', 'in', gone).execute();
}
