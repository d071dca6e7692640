/** Version 21: the locations of bytes outside of the data directory, and bytes in the database itself. */
import type { Migration } from '../database/database.ts';

export const bytes: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('stored_bytes')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('folder', 'text', column => column.notNull())
    .addColumn('store', 'text', column => column.notNull())
    .addColumn('also', 'text')
    .addColumn('upload', 'text')
    .addColumn('size', 'bigint')
    .addColumn('sha256', 'text')
    .execute();
  // The foreign key refuses further chunks of bytes that were given up, so that no unknown bytes remain.
  await schema
    .createTable('byte_chunks')
    .addColumn('id', keyType, column => column.notNull().references('stored_bytes.id').onDelete('cascade'))
    .addColumn('n', 'integer', column => column.notNull())
    .addColumn('bytes', 'bytea', column => column.notNull())
    .addPrimaryKeyConstraint('byte_chunks_in_order', ['id', 'n'])
    .execute();
  await schema.alterTable('leftovers').addColumn('kernel', keyType).execute();
};
