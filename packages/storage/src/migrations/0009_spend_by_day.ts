/** Version 9: spend by day, for daily and monthly caps. */
import type { Migration } from '../database/database.ts';

export const spendByDay: Migration = async (db, keyType) => {
  await db.schema
    .createTable('spend_by_day')
    .addColumn('day', keyType, column => column.notNull())
    .addColumn('model', keyType, column => column.notNull())
    .addColumn('prompt_tokens', 'bigint', column => column.notNull())
    .addColumn('completion_tokens', 'bigint', column => column.notNull())
    .addColumn('reasoning_tokens', 'bigint', column => column.notNull())
    .addColumn('cached_tokens', 'bigint', column => column.notNull())
    .addColumn('cost_usd', 'double precision')
    .addPrimaryKeyConstraint('spend_by_day_key', ['day', 'model'])
    .execute();
};
