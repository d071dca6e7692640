/**
 * Version 26: texts that models want to remember, until their owner accepts them. A table of its own, because kernels of
 * earlier versions show all rows of `memory` to models.
 */
import type { Migration } from '../database/database.ts';

export const memoryProposals: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('memory_proposals')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('record', 'text', column => column.notNull())
    .execute();
};
