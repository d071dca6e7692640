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

  change: MemoryStore['change'] = async change => {
    try {
      await this.#transactions.write(db => changeEntries(db, change));
      return true;
    } catch (error) {
      if (error instanceof Changed) return false;
      throw error;
    }
  };
}

/** An entry was changed or forgotten meanwhile, by another kernel on the database: nothing of the change is made. */
class Changed extends Error {}

/** The oldest first. */
async function listEntries(db: Db): Promise<MemoryRecord[]> {
  const rows = await db.selectFrom('memory').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map(({ id, created_at, record }) => ({ ...JSON.parse(record), id, created_at }));
}

/** Goes row by row: databases differ in how many values a statement may have. Ignores ids to remove that name none. */
async function changeEntries(
  db: Db,
  { add = [], rewrite = [], remove = [], writer }: MemoryChange,
): Promise<void> {
  if (writer?.epoch !== undefined) await checkEpoch(db, writer.chat_id, writer.epoch);
  for (const id of remove) await db.deleteFrom('memory').where('id', '=', id).execute();
  for (const { was, entry } of rewrite) await rewriteEntry(db, was, entry);
  for (const entry of add) {
    const { id, created_at } = entry;
    await db
      .insertInto('memory')
      .values({ id, created_at, record: recordOf(entry) })
      .execute();
  }
}

async function rewriteEntry(db: Db, was: MemoryRecord, entry: MemoryRecord): Promise<void> {
  const row = await db.selectFrom('memory').select('record').where('id', '=', was.id).executeTakeFirst();
  const found: Partial<MemoryRecord> = row === undefined ? {} : JSON.parse(row.record);
  if (row === undefined || found.updated_at !== was.updated_at || found.text !== was.text)
    throw new Changed();
  const { numUpdatedRows } = await db
    .updateTable('memory')
    .set({ record: recordOf(entry) })
    .where('id', '=', was.id)
    .where('record', '=', row.record)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Changed();
}

const recordOf = ({ id: _, created_at: __, ...fields }: MemoryRecord): string => JSON.stringify(fields);
