/**
 * Version 27: versions of a chat that are not its present. Their messages are in tables of their own, so that no query
 * of messages finds them; the search index does not contain them.
 */
import type { Migration } from '../database/database.ts';

export const versions: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('versions')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('inside', keyType)
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('summary', 'text')
    .execute();
  await schema.createIndex('versions_by_chat').on('versions').columns(['chat_id', 'position']).execute();

  await schema
    .createTable('version_messages')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('version_id', keyType, column =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('turn_id', keyType)
    .addColumn('sender', 'text')
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('content', 'text', column => column.notNull())
    .addColumn('marker', 'text')
    .addUniqueConstraint('version_messages_by_position', ['version_id', 'position'])
    .execute();
  await schema.createIndex('version_messages_by_turn').on('version_messages').column('turn_id').execute();

  await schema
    .createTable('version_file_uses')
    .addColumn('message_id', keyType, column =>
      column.notNull().references('version_messages.id').onDelete('cascade'),
    )
    .addColumn('file_id', keyType, column => column.notNull().references('files.id'))
    .addPrimaryKeyConstraint('version_file_uses_by_message', ['message_id', 'file_id'])
    .execute();
  await schema.createIndex('version_file_uses_by_file').on('version_file_uses').column('file_id').execute();
};
