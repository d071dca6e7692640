/**
 * Version 28: the spend of a day and a model in several rows, because each turn locks the row that it adds to. Rows of
 * `spend_by_day` stay: kernels of the version before may still add to them.
 */
import type { Migration } from '../database/database.ts';

export const daySpend: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('day_spend')
    .addColumn('day', keyType, column => column.notNull())
    .addColumn('model', keyType, column => column.notNull())
    .addColumn('part', keyType, column => column.notNull())
    .addColumn('prompt_tokens', 'bigint', column => column.notNull())
    .addColumn('completion_tokens', 'bigint', column => column.notNull())
    .addColumn('reasoning_tokens', 'bigint', column => column.notNull())
    .addColumn('cached_tokens', 'bigint', column => column.notNull())
    .addColumn('cost_usd', 'double precision')
    .addPrimaryKeyConstraint('day_spend_key', ['day', 'model', 'part'])
    .execute();
};
