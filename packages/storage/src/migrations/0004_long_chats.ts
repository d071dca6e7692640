/** Version 4: notebooks, sleep, indexed markers, and images of several chats, for long conversations. */
import type { Kysely } from 'kysely';
import type { KeyType, Migration } from '../database/database.ts';

export const longChats: Migration = async (db, keyType) => {
  const { schema } = db;
  await schema
    .alterTable('chats')
    .addColumn('notebook', 'text', column => column.notNull().defaultTo('""'))
    .execute();
  await schema.alterTable('chats').addColumn('notebook_at', keyType).execute();
  await schema
    .alterTable('chats')
    .addColumn('context_tokens', 'bigint', column => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('turns').addColumn('sleep', 'text').execute();

  // Messages of older versions are not markers.
  await schema.alterTable('messages').addColumn('marker', 'text').execute();
  await schema
    .createIndex('messages_by_marker')
    .on('messages')
    .columns(['chat_id', 'marker', 'position'])
    .where('marker', 'is not', null)
    .execute();

  await shareImages(db, keyType);
};

/** Separates images from their original chat, because its branches use them too. */
async function shareImages(db: Kysely<unknown>, keyType: KeyType): Promise<void> {
  const { schema } = db;
  const images = db as Kysely<Record<'images' | 'shared_images' | 'image_uses', Record<string, unknown>>>;
  await schema
    .createTable('shared_images')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('chat_id', keyType, column => column.notNull())
    .addColumn('media_type', 'text', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .execute();
  const columns = ['id', 'chat_id', 'media_type', 'created_at'];
  await images
    .insertInto('shared_images')
    .columns(columns)
    .expression(images.selectFrom('images').select(columns))
    .execute();
  await schema.dropTable('images').execute();
  await schema.alterTable('shared_images').renameTo('images').execute();

  await schema
    .createTable('image_uses')
    .addColumn('chat_id', keyType, column => column.notNull().references('chats.id').onDelete('cascade'))
    .addColumn('image_id', keyType, column => column.notNull().references('images.id'))
    .addPrimaryKeyConstraint('image_uses_by_chat', ['chat_id', 'image_id'])
    .execute();
  await schema.createIndex('image_uses_by_image').on('image_uses').column('image_id').execute();
  await images
    .insertInto('image_uses')
    .columns(['chat_id', 'image_id'])
    .expression(images.selectFrom('images').select(['chat_id', 'id']))
    .execute();
}
