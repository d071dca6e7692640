/**
 * Stores books on shelves. A book is written and deleted in steps, because a book of ten thousand pages would block
 * everything else. Between its first and last step it is incomplete and invisible. The next start removes the leftovers
 * of a crash.
 */
import type { Log } from '@chat-kernel/kernel';
import {
  type Db,
  plain,
  type Schema,
  type SearchIndex,
  type Transactions,
  type Write,
} from '@chat-kernel/storage';
import { findPart, inSteps, insertParts, readHeadings, readParts } from './book-parts.ts';
import { BookRemovals, leftBooks, removeBook } from './book-removals.ts';
import { searchBooks } from './book-search.ts';
import type {
  BookFilter,
  BookHit,
  BookPart,
  BookPlace,
  BookRecord,
  NewBook,
  NumberedPart,
  WantedPart,
} from './records.ts';

export class BookStore {
  readonly #transactions: Transactions;
  readonly #index: SearchIndex;
  readonly #removals: BookRemovals;

  constructor(transactions: Transactions, index: SearchIndex, log: Log) {
    this.#transactions = transactions;
    this.#index = index;
    this.#removals = new BookRemovals(transactions.within, log);
  }

  /**
   * Stores a book and reads `parts` to their end; the book is invisible until it is complete. Throws what `parts`
   * throws and then keeps nothing. If its shelf has a book with the same bytes, returns that one and adds nothing.
   */
  save(book: NewBook, parts: AsyncIterable<BookPart>): Promise<BookRecord> {
    return this.#transactions.run(() => saveBook(this.#transactions.within, this.#index, book, parts));
  }

  get(id: string): Promise<BookRecord | undefined> {
    return this.#transactions.read(async db => {
      const row = await whole(db).where('id', '=', id).executeTakeFirst();
      return row && toBookRecord(row);
    });
  }

  /** Returns the book of a shelf with these bytes. */
  findByBytes(shelf: string, sha256: string): Promise<BookRecord | undefined> {
    return this.#transactions.read(db => bookOfBytes(db, shelf, sha256));
  }

  /** Returns the newest books first, sorted by id, which grows with time. */
  list({ limit, before, shelf }: BookFilter): Promise<BookRecord[]> {
    return this.#transactions.read(async db => {
      const rows = await whole(db)
        .$if(before !== undefined, query => query.where('id', '<', before!))
        .$if(shelf !== undefined, query => query.where('shelf', '=', plain(shelf!)))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toBookRecord);
    });
  }

  /**
   * Returns the changed book, or undefined if it does not exist. Rejects if the new shelf has a book with the same
   * bytes.
   */
  update(
    id: string,
    { title, shelf }: Partial<Pick<BookRecord, 'title' | 'shelf'>>,
  ): Promise<BookRecord | undefined> {
    return this.#transactions.write(async db => {
      const row = await db
        .updateTable('books')
        // An update needs at least one column, so an unchanged column is set to itself.
        .set(({ ref }) => ({
          title: title === undefined ? ref('title') : plain(title),
          shelf: shelf === undefined ? ref('shelf') : plain(shelf),
        }))
        .where('id', '=', id)
        .where('whole', '=', 1)
        .returningAll()
        .executeTakeFirst();
      return row && toBookRecord(row);
    });
  }

  /** Returns false if the book does not exist. */
  async delete(id: string): Promise<boolean> {
    // It becomes invisible; `removeBook` deletes it.
    const hidden = await this.#transactions.write(db =>
      db
        .updateTable('books')
        .set({ whole: 0 })
        .where('id', '=', id)
        .where('whole', '=', 1)
        .returning('id')
        .executeTakeFirst(),
    );
    if (hidden) this.#removals.add(id);
    return hidden !== undefined;
  }

  /** Returns parts in order, starting with this one. */
  listParts(id: string, from: number, limit: number): Promise<NumberedPart[]> {
    return this.#transactions.read(db => readParts(db, id, from, limit));
  }

  /** Finds parts in all books of a shelf, the best matches first. `more`: there are further matches. */
  search(shelf: string, query: string, limit: number): Promise<{ hits: BookHit[]; more: boolean }> {
    return this.#transactions.read(db => searchBooks(db, this.#index, shelf, query, limit));
  }

  /** Returns the number of the first matching part. */
  findPart(id: string, wanted: WantedPart): Promise<number | undefined> {
    return this.#transactions.read(db => findPart(db, id, wanted));
  }

  /** Returns sections with a heading in order, starting with this section. */
  listHeadings(id: string, from: number, limit: number): Promise<BookPlace[]> {
    return this.#transactions.read(db => readHeadings(db, id, from, limit));
  }

  /** Starts to remove crash leftovers. Only for the start. */
  async recover(): Promise<void> {
    for (const id of await this.#transactions.write(leftBooks)) this.#removals.add(id);
  }

  /** Stops; the next start completes the remaining removals. */
  stop(): Promise<void> {
    return this.#removals.stop();
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
      // Another book with the same bytes was added to the shelf first.
      const first = await write(db => bookOfBytes(db, book.shelf, book.sha256));
      if (first === undefined) throw error;
      return first;
    });
    if (there === undefined) return { ...toBookRecord(beginning(book)), ...counted };
    await removeBook(write, book.id);
    return there;
  } catch (error) {
    await removeBook(write, book.id);
    throw error;
  }
}

async function bookOfBytes(db: Db, shelf: string, sha256: string): Promise<BookRecord | undefined> {
  const row = await whole(db)
    .where('shelf', '=', plain(shelf))
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row && toBookRecord(row);
}

/** Makes the book visible, or returns an earlier book with the same bytes. */
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

const toBookRecord = ({ whole: _, ...book }: Schema['books']): BookRecord => book;
