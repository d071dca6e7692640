/** Approvals: lasting permissions, each of one chat, and gone with it (OP-14). */
import type { ApprovalRecord, ApprovalStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { updateChat } from './chat-rows.ts';

export class SqlApprovalStore implements ApprovalStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: ApprovalStore['list'] = () => this.#transactions.read(listApprovals);

  save: ApprovalStore['save'] = approval => this.#transactions.write(db => insertApproval(db, approval));

  delete: ApprovalStore['delete'] = ids => this.#transactions.write(db => deleteApprovals(db, ids));
}

/** The oldest first. */
async function listApprovals(db: Db): Promise<ApprovalRecord[]> {
  const rows = await db.selectFrom('approvals').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map(row => ({
    ...row,
    command: parsed(row.command),
    workdir: parsed(row.workdir),
    client_id: parsed(row.client_id),
    hands: parsed(row.hands),
    prefix: parsed(row.prefix),
  }));
}

/** Keeps nothing where the chat is gone. Throws where the approval exists. */
async function insertApproval(db: Db, approval: ApprovalRecord): Promise<void> {
  // Takes the row's lock, so that the chat can't go between this and the insert, which would then throw.
  if (!(await updateChat(db, approval.chat_id, {}))) return;
  // These texts are compared: JSON keeps each character, also those that no database has in text.
  const command = json(approval.command);
  const workdir = json(approval.workdir);
  const client_id = json(approval.client_id);
  const hands = json(approval.hands);
  const prefix = json(approval.prefix);
  await db
    .insertInto('approvals')
    .values({ ...approval, command, workdir, client_id, hands, prefix })
    .execute();
}

const parsed = (text: string | null): string | null => (text === null ? null : JSON.parse(text));

/** Deletes row by row: databases differ in how many values a statement may have. Ignores ids that name none. */
async function deleteApprovals(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom('approvals').where('id', '=', id).execute();
}
