/** Version 3: approvals, each of one chat. */
import type { Migration } from '../database/database.ts';

export const approvals: Migration = async (db, keyType) => {
  const { schema } = db;
  await schema
    .createTable('approvals')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('command', 'text')
    .addColumn('created_at', keyType, column => column.notNull())
    .execute();
  await schema.createIndex('approvals_by_chat').on('approvals').column('chat_id').execute();
};
