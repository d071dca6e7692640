/** Version 7: the video shelf. */
import type { Migration } from '../database/database.ts';

export const video: Migration = async (db, keyType) => {
  const { schema } = db;
  await schema
    .createTable('video_history')
    .addColumn('video_id', keyType, column => column.primaryKey())
    .addColumn('place', 'bigint', column => column.notNull().unique())
    .addColumn('record', 'text', column => column.notNull())
    .execute();

  // Contains a single row, which is incremented.
  await schema
    .createTable('video_places')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('last', 'bigint', column => column.notNull())
    .execute();

  await schema
    .createTable('subscriptions')
    .addColumn('channel_id', keyType, column => column.primaryKey())
    .addColumn('record', 'text', column => column.notNull())
    .execute();
};
