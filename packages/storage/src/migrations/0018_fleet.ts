/** Version 18: several kernels on one database: their list, the owners of chats, and a common log. */
import type { Migration } from '../database/database.ts';

export const fleet: Migration = async ({ schema }, keyType) => {
  await schema.alterTable('chats').addColumn('owner', keyType).execute();
  await schema
    .alterTable('chats')
    .addColumn('epoch', 'bigint', column => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('chats').addColumn('home', 'text').execute();
  await schema
    .createTable('kernels')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('boot', 'bigint', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('version', 'text', column => column.notNull())
    .addColumn('since', keyType, column => column.notNull())
    .addColumn('seen_at', 'bigint', column => column.notNull())
    .execute();
  await schema
    .createTable('kernel_events')
    .addColumn('n', 'bigint', column => column.primaryKey())
    .addColumn('kernel', keyType, column => column.notNull())
    .addColumn('told', 'bigint', column => column.notNull())
    .addColumn('json', 'text', column => column.notNull())
    .execute();
};
