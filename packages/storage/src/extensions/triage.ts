/**
 * Counts messages that the judges of surfaces selected, and how many got a reply (API-3): a single row that only grows.
 */
import type { TriageCounts, TriageStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';

const ONE_ROW = 1;

export const triageStore = (transactions: Transactions): TriageStore => ({
  get: () => transactions.read(readTriage),
  add: counts => transactions.write(db => addTriage(db, counts)),
});

/** Returns the new totals. */
async function addTriage(db: Db, { engaged, responded }: TriageCounts): Promise<TriageCounts> {
  return db
    .insertInto('triage')
    .values({ id: ONE_ROW, engaged, responded })
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(eb => ({
        engaged: eb('triage.engaged', '+', eb.ref('excluded.engaged')),
        responded: eb('triage.responded', '+', eb.ref('excluded.responded')),
      })),
    )
    .returning(['engaged', 'responded'])
    .executeTakeFirstOrThrow();
}

async function readTriage(db: Db): Promise<TriageCounts> {
  const row = await db.selectFrom('triage').select(['engaged', 'responded']).executeTakeFirst();
  return row ?? { engaged: 0, responded: 0 };
}
