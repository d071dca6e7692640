/**
 * Version 15: machines that stand by, and the chats that act on one; approvals know which machine they are for, the words
 * with which a command may begin, and which decision they are.
 */
import type { Migration } from '../database/database.ts';

export const hands: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('hands')
    .addColumn('client_id', keyType, column => column.primaryKey())
    .addColumn('record', 'text', column => column.notNull())
    .execute();
  await schema.alterTable('chats').addColumn('hands', 'text').execute();
  await schema.alterTable('approvals').addColumn('hands', 'text').execute();
  await schema.alterTable('approvals').addColumn('prefix', 'text').execute();
  await schema
    .alterTable('approvals')
    .addColumn('decision', 'text', column => column.notNull().defaultTo('allow_always'))
    .execute();
};
