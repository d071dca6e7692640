/**
 * Books on shelves. A book is written and deleted in steps, because one of ten thousand pages would hold up everything
 * else. Between its first step and its last it is not whole, and invisible; the next start removes what a crash leaves
 * in between.
 */
import type { BookFilter, BookPart, BookRecord, BookStore, Log, NewBook } from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions, Write } from '../database/transactions.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { plain } from '../tables/text.ts';
import { findPart, inSteps, insertParts, readHeadings, readParts } from './book-parts.ts';
import { BookRemovals, leftBooks, removeBook } from './book-removals.ts';

export class SqlBookStore implements BookStore {
  readonly #transactions: Transactions;
  readonly #index: SearchIndex;
  readonly #removals: BookRemovals;

  constructor(transactions: Transactions, index: SearchIndex, log: Log) {
    this.#transactions = transactions;
    this.#index = index;
    this.#removals = new BookRemovals(transactions.within, log);
  }

  save: BookStore['save'] = (book, parts) =>
    this.#transactions.run(() => saveBook(this.#transactions.within, this.#index, book, parts));

  get: BookStore['get'] = id => this.#transactions.read(db => readBook(db, id));

  findByBytes: BookStore['findByBytes'] = (shelf, sha256) =>
    this.#transactions.read(db => bookOfBytes(db, shelf, sha256));

  list: BookStore['list'] = filter => this.#transactions.read(db => listBooks(db, filter));

  update: BookStore['update'] = (id, changes) => this.#transactions.write(db => updateBook(db, id, changes));

  delete: BookStore['delete'] = async id => {
    const hidden = await this.#transactions.write(db => hideBook(db, id));
    if (hidden) this.#removals.add(id);
    return hidden;
  };

  listParts: BookStore['listParts'] = (id, from, limit) =>
    this.#transactions.read(db => readParts(db, id, from, limit));

  findPart: BookStore['findPart'] = (id, wanted) => this.#transactions.read(db => findPart(db, id, wanted));

  listHeadings: BookStore['listHeadings'] = (id, from, limit) =>
    this.#transactions.read(db => readHeadings(db, id, from, limit));

  /** For the start alone: begins to remove what a crash left of books. */
  async recover(): Promise<void> {
    for (const id of await this.#transactions.write(leftBooks)) this.#removals.add(id);
  }

  /** Leaves removals that are not done to the next start. */
  close(): Promise<void> {
    return this.#removals.close();
  }
}

async function saveBook(
  write: Write,
  index: SearchIndex,
  book: NewBook,
  parts: AsyncIterable<BookPart>,
): Promise<BookRecord> {
  await write(db => db.insertInto('books').values(beginning(book)).execute());
  const counted = { count: 0, chars: 0 };
  try {
    let n = 0;
    for await (const step of inSteps(parts)) {
      const numbered = step.map(part => ({ ...part, text: plain(part.text), n: ++n }));
      await write(db => insertParts(db, index, book.id, numbered));
      for (const { section, last_line, text } of numbered) {
        counted.chars += text.length;
        counted.count = Math.max(counted.count, book.unit === 'line' ? (last_line ?? 0) : section);
      }
    }
    const there = await write(db => finish(db, book, counted)).catch(async error => {
      // Another book of the same bytes was first on the shelf.
      const first = await write(db => bookOfBytes(db, book.shelf, book.sha256));
      if (first === undefined) throw error;
      return first;
    });
    if (there === undefined) return { ...recordOf(beginning(book)), ...counted };
    await removeBook(write, book.id);
    return there;
  } catch (error) {
    await removeBook(write, book.id);
    throw error;
  }
}

async function readBook(db: Db, id: string): Promise<BookRecord | undefined> {
  const row = await whole(db).where('id', '=', id).executeTakeFirst();
  return row && recordOf(row);
}

async function bookOfBytes(db: Db, shelf: string, sha256: string): Promise<BookRecord | undefined> {
  const row = await whole(db)
    .where('shelf', '=', plain(shelf))
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row && recordOf(row);
}

async function listBooks(db: Db, { limit, before, shelf }: BookFilter): Promise<BookRecord[]> {
  const rows = await whole(db)
    .$if(before !== undefined, query => query.where('id', '<', before!))
    .$if(shelf !== undefined, query => query.where('shelf', '=', plain(shelf!)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(recordOf);
}

async function updateBook(
  db: Db,
  id: string,
  { title, shelf }: Partial<Pick<BookRecord, 'title' | 'shelf'>>,
): Promise<BookRecord | undefined> {
  const row = await db
    .updateTable('books')
    // A column may be set to itself: an update needs at least one.
    .set(({ ref }) => ({
      title: title === undefined ? ref('title') : plain(title),
      shelf: shelf === undefined ? ref('shelf') : plain(shelf),
    }))
    .where('id', '=', id)
    .where('whole', '=', 1)
    .returningAll()
    .executeTakeFirst();
  return row && recordOf(row);
}

/** Makes the book invisible; `removeBook` takes it away. Returns whether it was there. */
async function hideBook(db: Db, id: string): Promise<boolean> {
  const hidden = await db
    .updateTable('books')
    .set({ whole: 0 })
    .where('id', '=', id)
    .where('whole', '=', 1)
    .returning('id')
    .executeTakeFirst();
  return hidden !== undefined;
}

/** Makes the book whole; or returns the book of the same bytes that was there before it. */
async function finish(
  db: Db,
  { id, shelf, sha256 }: NewBook,
  counted: Pick<BookRecord, 'count' | 'chars'>,
): Promise<BookRecord | undefined> {
  const there = await bookOfBytes(db, shelf, sha256);
  if (there === undefined) {
    await db
      .updateTable('books')
      .set({ ...counted, whole: 1 })
      .where('id', '=', id)
      .execute();
  }
  return there;
}

const whole = (db: Db) => db.selectFrom('books').selectAll().where('whole', '=', 1);

const beginning = (book: NewBook): Schema['books'] => ({
  ...book,
  shelf: plain(book.shelf),
  title: plain(book.title),
  author: plain(book.author),
  file_name: plain(book.file_name),
  count: 0,
  chars: 0,
  whole: 0,
});

const recordOf = ({ whole: _, ...book }: Schema['books']): BookRecord => book;
