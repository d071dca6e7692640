/** Version 8: books on shelves, the parts of their text, and the index of these. */
import { sql } from 'kysely';
import type { Migration } from '../database/database.ts';

export const books: Migration = async (db, keyType, index) => {
  const { schema } = db;
  await schema
    .createTable('books')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('shelf', keyType, column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('author', 'text')
    .addColumn('format', 'text', column => column.notNull())
    .addColumn('file_name', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('sha256', keyType, column => column.notNull())
    .addColumn('unit', 'text', column => column.notNull())
    .addColumn('count', 'integer', column => column.notNull())
    .addColumn('chars', 'bigint', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .addColumn('whole', 'integer', column => column.notNull())
    .execute();
  await schema.createIndex('books_by_shelf').on('books').columns(['shelf', 'id']).execute();
  // Several books with the same bytes may be being added to a shelf; only one of them is completed.
  await schema
    .createIndex('books_once')
    .unique()
    .on('books')
    .columns(['shelf', 'sha256'])
    .where(sql.ref('whole'), '=', 1)
    .execute();

  await schema
    .createTable('book_parts')
    .addColumn('book_id', keyType, column => column.notNull())
    .addColumn('n', 'integer', column => column.notNull())
    .addColumn('section', 'integer', column => column.notNull())
    .addColumn('title', 'text')
    .addColumn('title_search', 'text')
    .addColumn('piece', 'integer', column => column.notNull())
    .addColumn('pieces', 'integer', column => column.notNull())
    .addColumn('line', 'integer')
    .addColumn('last_line', 'integer')
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('text_id', 'bigint')
    .addPrimaryKeyConstraint('book_parts_key', ['book_id', 'n'])
    .execute();
  await schema.createIndex('book_parts_by_text').on('book_parts').column('text_id').execute();
  await schema
    .createIndex('book_parts_by_section')
    .on('book_parts')
    .columns(['book_id', 'section', 'piece'])
    .execute();
  await index.createOfBooks(db);
};
