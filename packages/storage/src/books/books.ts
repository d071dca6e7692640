/**
 * Books on shelves. A book is written and deleted in steps, for one of ten thousand pages would hold up everybody
 * else; until its first step is followed by its last it is not whole, and nobody sees it. What a crash leaves in
 * between is swept at the next start.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type {
  BookFilter,
  BookPart,
  BookPlace,
  BookRecord,
  NewBook,
  NumberedPart,
  WantedPart,
} from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Write } from '../bytes/stored-bytes.ts';
import type { SearchIndex } from '../database/database.ts';
import { distinctWords } from '../search/words.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { plain, searchable } from '../tables/text.ts';
import { removeBook } from './book-removals.ts';

/** So many parts are written in one transaction. */
const STEP = 40;

export async function saveBook(
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
      // Another came to the same place at the same time, and was first.
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

export async function readBook(db: Db, id: string): Promise<BookRecord | undefined> {
  const row = await whole(db).where('id', '=', id).executeTakeFirst();
  return row && recordOf(row);
}

export async function bookOfBytes(db: Db, shelf: string, sha256: string): Promise<BookRecord | undefined> {
  const row = await whole(db)
    .where('shelf', '=', plain(shelf))
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row && recordOf(row);
}

export async function listBooks(db: Db, { limit, before, shelf }: BookFilter): Promise<BookRecord[]> {
  const rows = await whole(db)
    .$if(before !== undefined, query => query.where('id', '<', before!))
    .$if(shelf !== undefined, query => query.where('shelf', '=', plain(shelf!)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(recordOf);
}

export async function updateBook(
  db: Db,
  id: string,
  { title, shelf }: Partial<Pick<BookRecord, 'title' | 'shelf'>>,
): Promise<BookRecord | undefined> {
  const row = await db
    .updateTable('books')
    // A column set to itself: an update without any changes has none.
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

/** Nobody sees it from now on; `removeBook` takes it away. Answers whether it was there. */
export async function hideBook(db: Db, id: string): Promise<boolean> {
  const hidden = await db
    .updateTable('books')
    .set({ whole: 0 })
    .where('id', '=', id)
    .where('whole', '=', 1)
    .returning('id')
    .executeTakeFirst();
  return hidden !== undefined;
}

export async function bookParts(db: Db, id: string, from: number, limit: number): Promise<NumberedPart[]> {
  return db
    .selectFrom('book_parts')
    .select(['n', 'section', 'title', 'piece', 'pieces', 'line', 'last_line', 'text'])
    .where('book_id', '=', id)
    .where('n', '>=', from)
    .orderBy('n')
    .limit(limit)
    .execute();
}

export async function findPart(db: Db, id: string, wanted: WantedPart): Promise<number | undefined> {
  const parts = db.selectFrom('book_parts').select('n').where('book_id', '=', id).orderBy('n').limit(1);
  if ('line' in wanted) return (await parts.where('last_line', '>=', wanted.line).executeTakeFirst())?.n;
  if ('section' in wanted) {
    const { section, piece } = wanted;
    return (await parts.where('section', '=', section).where('piece', '=', piece).executeTakeFirst())?.n;
  }
  const heading = searchable(plain(wanted.heading));
  const pattern = `%${heading.replaceAll(/[!%_]/g, '!$&')}%`;
  const exact = await parts.where('title_search', '=', heading).executeTakeFirst();
  if (exact) return exact.n;
  const like = sql<boolean>`title_search like ${pattern} escape '!'`;
  return (await parts.where(like).executeTakeFirst())?.n;
}

export async function bookContents(db: Db, id: string, from: number, limit: number): Promise<BookPlace[]> {
  return db
    .selectFrom('book_parts')
    .select(['section', 'title', 'piece', 'pieces', 'line', 'last_line'])
    .where('book_id', '=', id)
    .where('section', '>=', from)
    .where('piece', '=', 1)
    .where('title', 'is not', null)
    .orderBy('section')
    .limit(limit)
    .execute();
}

/** In lots of one transaction each; between them others have their turn. */
async function* inSteps(parts: AsyncIterable<BookPart>): AsyncGenerator<BookPart[]> {
  let step: BookPart[] = [];
  for await (const part of parts) {
    step.push(part);
    if (step.length < STEP) continue;
    yield step;
    step = [];
    await nextTick();
  }
  if (step.length > 0) yield step;
}

async function insertParts(
  db: Db,
  index: SearchIndex,
  book_id: string,
  parts: readonly NumberedPart[],
): Promise<void> {
  for (const part of parts) {
    const words = distinctWords(part.text);
    const text_id = words.length === 0 ? null : await index.add(db, words, 'book_texts');
    const title = plain(part.title);
    const title_search = title === null ? null : searchable(title);
    await db
      .insertInto('book_parts')
      .values({ ...part, title, title_search, book_id, text_id })
      .execute();
  }
}

/** Makes the book whole; or answers the one that came to its place before it. */
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
