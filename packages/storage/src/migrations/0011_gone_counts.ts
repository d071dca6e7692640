/** Version 11: the number of chats, messages and turns in deleted chats, for statistics that never decrease. */
import type { Migration } from '../database/database.ts';

export const goneCounts: Migration = async (db, keyType) => {
  await db.schema
    .createTable('gone_counts')
    .addColumn('what', keyType, column => column.primaryKey())
    .addColumn('number', 'bigint', column => column.notNull())
    .execute();
};
