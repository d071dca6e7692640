/** Approvals: lasting permissions, each of one chat, and gone with it (OP-14). */
import type { ApprovalRecord } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { updateChat } from './chat-rows.ts';

/** The oldest first. */
export async function listApprovals(db: Db): Promise<ApprovalRecord[]> {
  const rows = await db.selectFrom('approvals').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map(row => ({ ...row, command: row.command === null ? null : JSON.parse(row.command) }));
}

/** Keeps nothing where the chat is gone. Throws where the approval exists. */
export async function insertApproval(db: Db, approval: ApprovalRecord): Promise<void> {
  // Takes the row's lock, so that the chat can't go between this and the insert, which would then throw.
  if (!(await updateChat(db, approval.chat_id, {}))) return;
  // A command is compared with others: JSON keeps each character of it, also those that no database has in text.
  const command = json(approval.command);
  await db
    .insertInto('approvals')
    .values({ ...approval, command })
    .execute();
}

/** One by one: databases differ in how many values a statement may have. Ids that name none are nothing. */
export async function deleteApprovals(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom('approvals').where('id', '=', id).execute();
}
