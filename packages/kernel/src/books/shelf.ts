/** A shelf, as the tools of its chats see it. */
import { isId } from '../base/ids.ts';
import type { BookRecord, Shelf, Store } from '../ports/index.ts';
import { placeName } from './place.ts';
import { readBook } from './reading.ts';

/** The headings that are shown at once. */
const HEADINGS = 100;

export function shelfOf(name: string, add: Shelf['add'], store: Pick<Store, 'books' | 'search'>): Shelf {
  /** The book of an id. A book of another shelf does not exist for these tools. */
  const bookOf = async (id: string): Promise<BookRecord> => {
    const book = isId(id) ? await store.books.get(id) : undefined;
    if (book === undefined || book.shelf !== name) {
      throw new Error(`There is no book ${id.slice(0, 100)} on the shelf "${name}".`);
    }
    return book;
  };
  return {
    name,
    books: limit => store.books.list({ shelf: name, limit }),
    bookOfBytes: sha256 => store.books.findByBytes(name, sha256),
    add,
    async search(query, limit) {
      const { hits, more } = await store.search.books(name, query, limit);
      return {
        hits: hits.map(({ unit, place, ...hit }) => ({ ...hit, place: placeName(unit, place) })),
        more,
      };
    },
    read: async (id, place, chars) => readBook(store, await bookOf(id), place, chars),
    async contents(id, from) {
      const book = await bookOf(id);
      const found = await store.books.listHeadings(id, from, HEADINGS + 1);
      const next = found[HEADINGS];
      const shown = found.slice(0, HEADINGS);
      return {
        book,
        headings: shown.map(place => placeName(book.unit, { ...place, piece: 1, pieces: 1 })),
        next: next === undefined ? null : `contents ${next.section}`,
      };
    },
  };
}
