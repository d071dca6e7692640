/** Version 19: the imported conversations, and their chats. */
import type { Migration } from '../database/database.ts';

export const imports: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('imports')
    .addColumn('source', keyType, column => column.notNull())
    .addColumn('key', keyType, column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('imports_by_key', ['source', 'key'])
    .execute();
  await schema.createIndex('imports_by_chat').on('imports').column('chat_id').execute();
};
