/** Version 15: memory across chats. */
import type { Migration } from '../database/database.ts';

export const memory: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('memory')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('record', 'text', column => column.notNull())
    .execute();
};
