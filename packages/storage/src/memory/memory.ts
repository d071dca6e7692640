/** Entries of the memory. Their texts come from outside: as JSON they keep each of their characters, in any database. */
import type { MemoryChange, MemoryRecord, MemoryStore } from '@chat-kernel/kernel';
import { checkEpoch } from '../database/fence.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';

export class SqlMemoryStore implements MemoryStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: MemoryStore['list'] = () => this.#transactions.read(listEntries);

  change: MemoryStore['change'] = change => this.#transactions.write(db => changeEntries(db, change));
}

/** The oldest first. */
async function listEntries(db: Db): Promise<MemoryRecord[]> {
  const rows = await db.selectFrom('memory').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map(({ id, created_at, record }) => ({ ...JSON.parse(record), id, created_at }));
}

/** Goes row by row: databases differ in how many values a statement may have. Ignores ids that name none. */
async function changeEntries(db: Db, { save, remove, writer }: MemoryChange): Promise<void> {
  if (writer?.epoch !== undefined) await checkEpoch(db, writer.chat_id, writer.epoch);
  for (const id of remove) await db.deleteFrom('memory').where('id', '=', id).execute();
  for (const { id, created_at, ...fields } of save) {
    const record = JSON.stringify(fields);
    await db
      .insertInto('memory')
      .values({ id, created_at, record })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ record }))
      .execute();
  }
}
