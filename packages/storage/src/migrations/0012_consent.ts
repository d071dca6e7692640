/**
 * Version 12: chats whose owner is asked before changes of the kernel's machine; approvals record their client, machine
 * and directory. Older approvals were given without showing these, so they cover nothing with a client or a directory.
 */
import type { Migration } from '../database/database.ts';

export const consent: Migration = async db => {
  await db.schema
    .alterTable('chats')
    .addColumn('consent', 'text', column => column.notNull().defaultTo('auto'))
    .execute();
  await db.schema.alterTable('approvals').addColumn('workdir', 'text').execute();
  await db.schema
    .alterTable('approvals')
    .addColumn('workdir_on', 'text', column => column.notNull().defaultTo('client'))
    .execute();
  await db.schema.alterTable('approvals').addColumn('client_id', 'text').execute();
};
