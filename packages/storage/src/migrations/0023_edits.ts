/** Version 23: records of file edits, for several kernels on one database. */
import type { Migration } from '../database/database.ts';

export const edits: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('edits')
    .addColumn('op_id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('kernel', 'text', column => column.notNull())
    .addColumn('note', 'text', column => column.notNull())
    .execute();
  await schema.createIndex('edits_by_chat').on('edits').column('chat_id').execute();
};
