/**
 * Version 12: chats whose owner is asked before the kernel's machine is changed; approvals know the client, the machine
 * and the directory that they were given for. Older ones were given for any, which nobody was told: they cover nothing
 * that has a client or a directory.
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
