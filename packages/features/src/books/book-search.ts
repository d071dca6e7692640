/** Searches the full text of the books of a shelf: the index finds the parts, and the words in them rank them. */
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type Db,
  plain,
  rarest,
  type SearchIndex,
  snippet,
  tokenize,
  type WantedWords,
  wantedBy,
} from '@chat-kernel/storage';
import type { BookHit } from './records.ts';

/** Parts that are ranked at most, those of the newest books first. */
const LOOKED_AT = 200;
/** Parts after which other work can run. */
const STEP = 20;

/**
 * Finds parts in all books of a shelf, the best matches first. `more`: further parts match that are not among the hits,
 * or were not ranked.
 */
export async function searchBooks(
  db: Db,
  index: SearchIndex,
  shelf: string,
  query: string,
  limit: number,
): Promise<{ hits: BookHit[]; more: boolean }> {
  const wanted = wantedBy(query);
  if (wanted === undefined) return { hits: [], more: false };
  const found = await findParts(db, index, shelf, wanted);
  const ranked: { hit: BookHit; weight: number }[] = [];
  for (const [at, { book_id, book_title, unit, text, ...place }] of found.entries()) {
    if (at % STEP === STEP - 1) await nextTick();
    const line = snippet(text, wanted);
    if (line === undefined) continue;
    const hit: BookHit = { book_id, title: book_title, unit, place, snippet: line };
    ranked.push({ hit, weight: weigh(text, wanted) });
  }
  const best = ranked.sort((a, b) => b.weight - a.weight).slice(0, limit);
  return {
    hits: best.map(({ hit }) => hit),
    more: best.length < ranked.length || found.length === LOOKED_AT,
  };
}

/** Matching parts, those of the newest books first, and in order within a book. */
function findParts(db: Db, index: SearchIndex, shelf: string, { whole, beginning }: WantedWords) {
  return db
    .selectFrom('book_parts')
    .innerJoin('books', 'books.id', 'book_parts.book_id')
    .select(['book_id', 'books.title as book_title', 'unit'])
    .select(['section', 'book_parts.title', 'piece', 'pieces', 'line', 'last_line', 'text'])
    .where('text_id', 'in', texts =>
      texts
        .selectFrom('book_texts')
        .select('rowid')
        .where(index.matches(rarest(whole), beginning, 'book_texts')),
    )
    .where('shelf', '=', plain(shelf))
    .where('whole', '=', 1)
    .orderBy('book_id', 'desc')
    .orderBy('n')
    .limit(LOOKED_AT)
    .execute();
}

/** Weight of a searched word next to another one, compared to a single word. */
const BESIDE = 4;

/** Ranks a text by how often the words occur, and how often next to each other. */
function weigh(text: string, { whole, beginning }: WantedWords): number {
  let weight = 0;
  let before: string | undefined;
  for (const { word } of tokenize(text)) {
    const counts = whole.has(word) || word.startsWith(beginning);
    if (counts) weight += before !== undefined && before !== word ? BESIDE : 1;
    before = counts ? word : undefined;
  }
  return weight;
}
