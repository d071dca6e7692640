/** Version 1: chats, messages, turns, spend, idempotency keys and images. */
import type { Migration } from '../database/database.ts';

export const tables: Migration = async (db, keyType) => {
  const { schema } = db;
  await schema
    .createTable('chats')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('title', 'text')
    .addColumn('title_search', 'text')
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('updated_at', keyType, column => column.notNull())
    .addColumn('last_message_at', keyType)
    .addColumn('workdir', 'text')
    .addColumn('workdir_on', 'text', column => column.notNull())
    .addColumn('forked_from', keyType)
    .addColumn('forked_at_message', keyType)
    .addColumn('effort', 'text')
    .addColumn('model', 'text')
    .addColumn('shelf', keyType, column => column.notNull())
    .addColumn('project', keyType)
    .addColumn('toolset', 'text', column => column.notNull())
    .addColumn('compaction', 'text', column => column.notNull())
    .addColumn('summary', 'text')
    .addColumn('plan', 'text', column => column.notNull())
    .addColumn('prefix_tokens', 'bigint', column => column.notNull())
    .addColumn('last_position', 'bigint', column => column.notNull())
    .execute();
  await schema.createIndex('chats_by_shelf').on('chats').columns(['shelf', 'id']).execute();
  await schema.createIndex('chats_by_project').on('chats').columns(['project', 'id']).execute();

  await schema
    .createTable('messages')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('position', 'bigint')
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('turn_id', keyType)
    .addColumn('sender', 'text')
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('content', 'text', column => column.notNull())
    .addUniqueConstraint('messages_by_position', ['chat_id', 'position'])
    .execute();
  await schema.createIndex('messages_by_turn').on('messages').columns(['turn_id', 'position']).execute();

  await schema
    .createTable('turns')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('message_id', keyType, column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('model', 'text')
    .addColumn('effort', 'text', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('started_at', keyType)
    .addColumn('ended_at', keyType)
    .addColumn('usage', 'text', column => column.notNull())
    .addColumn('stop_reason', 'text')
    .addColumn('error', 'text')
    .addColumn('parameters', 'text', column => column.notNull())
    .addColumn('checkpoint', 'text')
    .execute();
  await schema.createIndex('turns_by_chat').on('turns').column('chat_id').execute();
  // The index serves two queries: the unfinished turns, and the number of turns of each status.
  await schema.createIndex('turns_by_status').on('turns').columns(['status', 'id']).execute();

  await schema
    .createTable('spend')
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('model', keyType, column => column.notNull())
    .addColumn('prompt_tokens', 'bigint', column => column.notNull())
    .addColumn('completion_tokens', 'bigint', column => column.notNull())
    .addColumn('reasoning_tokens', 'bigint', column => column.notNull())
    .addColumn('cached_tokens', 'bigint', column => column.notNull())
    .addColumn('cost_usd', 'double precision')
    .addColumn('turns', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('spend_by_model', ['chat_id', 'model'])
    .execute();

  await schema
    .createTable('idempotency')
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('key', keyType, column => column.notNull())
    .addColumn('turn_id', keyType, column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .addPrimaryKeyConstraint('idempotency_by_key', ['chat_id', 'key'])
    .execute();
  await schema.createIndex('idempotency_by_age').on('idempotency').column('created_at').execute();

  await schema
    .createTable('images')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('media_type', 'text', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .execute();
  await schema.createIndex('images_by_chat').on('images').column('chat_id').execute();
  await schema
    .createTable('image_leftovers')
    .addColumn('id', keyType, column => column.primaryKey())
    .execute();
};
