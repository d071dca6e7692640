/**
 * Version 16: stand-by machines, and the chats that use one; approvals record their machine, the allowed prefix of a
 * command, and the decision.
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
