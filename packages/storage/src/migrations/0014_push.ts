/** Version 14: browsers that receive push notifications. */
import type { Migration } from '../database/database.ts';

export const push: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('push_subscriptions')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('endpoint', keyType, column => column.notNull().unique())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('record', 'text', column => column.notNull())
    .execute();
};
