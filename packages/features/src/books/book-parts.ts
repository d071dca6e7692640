/** Stores the parts of a book in steps, and finds them by number, line, section or heading. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Db, distinctWords, plain, type SearchIndex, searchable } from '@chat-kernel/storage';
import { sql } from 'kysely';
import type { BookPart, BookPlace, NumberedPart, WantedPart } from './records.ts';

/** Parts written per transaction. */
const STEP = 40;

/** Groups parts by transaction, so that other work can run between the groups. */
export async function* inSteps(parts: AsyncIterable<BookPart>): AsyncGenerator<BookPart[]> {
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

export async function insertParts(
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

export async function readParts(db: Db, id: string, from: number, limit: number): Promise<NumberedPart[]> {
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

export async function readHeadings(db: Db, id: string, from: number, limit: number): Promise<BookPlace[]> {
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
