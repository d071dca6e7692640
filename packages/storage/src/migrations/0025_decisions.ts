/** Version 25: the history of decisions about operations. */
import type { Migration } from '../database/database.ts';

export const decisions: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('decisions')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.references('chats.id').onDelete('cascade'))
    .addColumn('record', 'text', column => column.notNull())
    .execute();
  await schema.createIndex('decisions_by_chat').on('decisions').column('chat_id').execute();
};
