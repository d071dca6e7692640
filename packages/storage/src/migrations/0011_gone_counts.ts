/** Version 11: how many chats, messages and turns there were in chats that are deleted, for statistics that never fall. */
import type { Migration } from '../database/database.ts';

export const goneCounts: Migration = async (db, keyType) => {
  await db.schema
    .createTable('gone_counts')
    .addColumn('what', keyType, column => column.primaryKey())
    .addColumn('number', 'bigint', column => column.notNull())
    .execute();
};
