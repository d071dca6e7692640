/** Version 2: files that messages use, and their leftovers in addition to those of images. */
import type { Migration } from '../database/database.ts';

export const files: Migration = async (db, keyType) => {
  const { schema } = db;
  await schema
    .createTable('files')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('media_type', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('used_at', keyType, column => column.notNull())
    .execute();
  await schema.createIndex('files_by_use').on('files').column('used_at').execute();

  await schema
    .createTable('file_uses')
    .addColumn('message_id', keyType, column =>
      column.notNull().references('messages.id').onDelete('cascade'),
    )
    .addColumn('file_id', keyType, column => column.notNull().references('files.id'))
    .addPrimaryKeyConstraint('file_uses_by_message', ['message_id', 'file_id'])
    .execute();
  await schema.createIndex('file_uses_by_file').on('file_uses').column('file_id').execute();

  await schema.alterTable('image_leftovers').renameTo('leftovers').execute();
  await schema
    .alterTable('leftovers')
    .addColumn('folder', 'text', column => column.notNull().defaultTo('images'))
    .execute();
};
