/** Stores approvals: permanent permissions, each for one chat and deleted with it (OP-14). */
import type { ApprovalRecord, ApprovalStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { decodeReadable } from '../tables/unreadable.ts';
import { updateChat } from './chat-records.ts';

export class SqlApprovalStore implements ApprovalStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: ApprovalStore['list'] = () => this.#transactions.read(listApprovals);

  save: ApprovalStore['save'] = approval => this.#transactions.write(db => insertApproval(db, approval));

  delete: ApprovalStore['delete'] = ids => this.#transactions.write(db => deleteApprovals(db, ids));
}

/** Oldest first. */
async function listApprovals(db: Db): Promise<ApprovalRecord[]> {
  const rows = await db.selectFrom('approvals').selectAll().orderBy('created_at').orderBy('id').execute();
  return decodeReadable('approvals', rows, decode, ({ id }) => id);
}

const decode = (row: Schema['approvals']): ApprovalRecord => ({
  ...row,
  command: parseNullable(row.command),
  workdir: parseNullable(row.workdir),
  client_id: parseNullable(row.client_id),
  hands: parseNullable(row.hands),
  prefix: parseNullable(row.prefix),
  target: parseNullable(row.target),
  outside: row.outside === null ? null : JSON.parse(row.outside),
});

/** Stores nothing if the chat was deleted. Throws if the approval exists. */
async function insertApproval(db: Db, approval: ApprovalRecord): Promise<void> {
  // Locks the row, so that the chat cannot be deleted before the insert, which would then throw.
  if (!(await updateChat(db, approval.chat_id, {}))) return;
  // These texts are compared: JSON preserves each character, including those that some databases do not allow in text.
  const command = json(approval.command);
  const workdir = json(approval.workdir);
  const client_id = json(approval.client_id);
  const hands = json(approval.hands);
  const prefix = json(approval.prefix);
  const target = json(approval.target);
  const outside = json(approval.outside);
  await db
    .insertInto('approvals')
    .values({ ...approval, command, workdir, client_id, hands, prefix, target, outside })
    .execute();
}

const parseNullable = (text: string | null): string | null => (text === null ? null : JSON.parse(text));

/** Deletes row by row, because databases differ in how many values a statement may have. Ignores unknown ids. */
async function deleteApprovals(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom('approvals').where('id', '=', id).execute();
}
