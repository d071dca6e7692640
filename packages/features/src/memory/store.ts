/**
 * Stores the entries of the memory, and proposals of new ones. Their texts are external input: JSON preserves each of
 * their characters in any database.
 */
import { checkHeld, type Db, decodeReadable, type Schema, type Transactions } from '@chat-kernel/storage';
import type { MemoryChange, MemoryRecord, ProposalRecord } from './records.ts';

export class MemoryStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  /** Returns the entries, the oldest first. */
  list(): Promise<MemoryRecord[]> {
    return this.#transactions.read(async db => {
      const rows = await db.selectFrom('memory').selectAll().orderBy('created_at').orderBy('id').execute();
      return readable('memory', rows);
    });
  }

  /** Returns the proposals, the oldest first. */
  listProposals(): Promise<ProposalRecord[]> {
    return this.#transactions.read(async db => {
      const rows = await db
        .selectFrom('memory_proposals')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return readable<ProposalRecord>('memory_proposals', rows);
    });
  }

  /** Returns false and changes nothing if an entry to change has another version, or was deleted. */
  async change(change: MemoryChange): Promise<boolean> {
    try {
      await this.#transactions.write(db => changeEntries(db, change));
      return true;
    } catch (error) {
      if (error instanceof Changed) return false;
      throw error;
    }
  }
}

/**
 * Thrown if another kernel on the database has changed or forgotten an entry in the meantime; rolls back the change.
 */
class Changed extends Error {}

/** The records of these rows, except damaged ones. */
const readable = <Record = MemoryRecord>(
  table: 'memory' | 'memory_proposals',
  rows: readonly Schema['memory'][],
): Record[] =>
  decodeReadable(
    table,
    rows,
    ({ id, created_at, record }) => ({ ...JSON.parse(record), id, created_at }),
    ({ id }) => id,
  );

/** Writes row by row, because databases differ in the number of values per statement. Ignores unknown ids to remove. */
async function changeEntries(
  db: Db,
  { add = [], rewrite = [], remove = [], settle = [], propose = [], writer }: MemoryChange,
): Promise<void> {
  if (writer) await checkHeld(db, writer);
  for (const id of remove) await db.deleteFrom('memory').where('id', '=', id).execute();
  for (const { was, entry } of rewrite) await rewriteEntry(db, was, entry);
  // If two kernels accept a proposal at the same time, the entry exists already.
  for (const entry of add) {
    await db
      .insertInto('memory')
      .values(toRow(entry))
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute();
  }
  for (const id of settle) await db.deleteFrom('memory_proposals').where('id', '=', id).execute();
  for (const proposal of propose) await db.insertInto('memory_proposals').values(toRow(proposal)).execute();
}

async function rewriteEntry(db: Db, was: MemoryRecord, entry: MemoryRecord): Promise<void> {
  const row = await db.selectFrom('memory').selectAll().where('id', '=', was.id).executeTakeFirst();
  const [found] = row === undefined ? [] : readable('memory', [row]);
  if (row === undefined || found?.updated_at !== was.updated_at || found.text !== was.text)
    throw new Changed();
  const { numUpdatedRows } = await db
    .updateTable('memory')
    .set({ record: toRow(entry).record })
    .where('id', '=', was.id)
    .where('record', '=', row.record)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Changed();
}

const toRow = ({ id, created_at, ...fields }: MemoryRecord | ProposalRecord): Schema['memory'] => ({
  id,
  created_at,
  record: JSON.stringify(fields),
});
