/** Stores approvals: permanent permissions, each for one chat and deleted with it (OP-14). */
import type { ApprovalRecord, ApprovalStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import { type ColumnKinds, decode } from '../tables/decode.ts';
import type { Db } from '../tables/schema.ts';
import { encode } from '../tables/text.ts';
import { decodeReadable } from '../tables/unreadable.ts';
import { updateChat } from './chat-rows.ts';

/** Texts that are compared: JSON preserves each character, including those that some databases do not allow in text. */
const TEXTS = ['command', 'workdir', 'client_id', 'hands', 'prefix', 'target'] as const;
const APPROVAL_COLUMNS: ColumnKinds<ApprovalRecord> = {
  command: 'json',
  workdir: 'json',
  client_id: 'json',
  hands: 'json',
  prefix: 'json',
  target: 'json',
  outside: 'json',
};

export const approvalStore = (transactions: Transactions): ApprovalStore => ({
  list: () => transactions.read(listApprovals),
  save: approval => transactions.write(db => insertApproval(db, approval)),
  delete: ids => transactions.write(db => deleteApprovals(db, ids)),
});

/** Oldest first. */
async function listApprovals(db: Db): Promise<ApprovalRecord[]> {
  const rows = await db.selectFrom('approvals').selectAll().orderBy('created_at').orderBy('id').execute();
  return decodeReadable(
    'approvals',
    rows,
    row => decode<ApprovalRecord>(row, APPROVAL_COLUMNS),
    ({ id }) => id,
  );
}

/** Stores nothing if the chat was deleted. Throws if the approval exists. */
async function insertApproval(db: Db, approval: ApprovalRecord): Promise<void> {
  // Locks the row, so that the chat cannot be deleted before the insert, which would then throw.
  if (!(await updateChat(db, approval.chat_id, {}))) return;
  await db.insertInto('approvals').values(encode(approval, TEXTS)).execute();
}

/** Deletes row by row, because databases differ in how many values a statement may have. Ignores unknown ids. */
async function deleteApprovals(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom('approvals').where('id', '=', id).execute();
}
