/** What judges of surfaces engaged, and what of it was answered (API-3): one row that only grows. */
import type { TriageCounts } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';

const ONE_ROW = 1;

/** Answers the totals. */
export async function addTriage(db: Db, { engaged, responded }: TriageCounts): Promise<TriageCounts> {
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

export async function readTriage(db: Db): Promise<TriageCounts> {
  const row = await db.selectFrom('triage').select(['engaged', 'responded']).executeTakeFirst();
  return row ?? { engaged: 0, responded: 0 };
}
