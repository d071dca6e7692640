/** Provides a shelf to the tools of its chats (BT-2). */
import { isId } from '@chat-kernel/kernel';
import type { BookSearch } from './book-search.ts';
import { placeName } from './place.ts';
import { type Reading, readBook } from './reading.ts';
import type { BookHit, BookPart, BookRecord, NewBook } from './records.ts';
import type { BookStore } from './store.ts';

/** Headings per page. */
const HEADINGS = 100;

/** The queries of the feature. */
export interface BookStores {
  books: BookStore;
  search: BookSearch;
}

/** The facts about a book: those stated in its file, and those found by reading it. */
export type BookFacts = Pick<
  NewBook,
  'title' | 'author' | 'format' | 'file_name' | 'size' | 'sha256' | 'unit'
>;

interface Contents {
  book: BookRecord;
  /** The headings, each with its position. */
  headings: string[];
  /** The position that returns the next headings; null if there are none. */
  next: string | null;
}

export interface Shelf {
  readonly name: string;
  /** The newest books, newest first. */
  books(limit: number): Promise<BookRecord[]>;
  /** The book on this shelf with these bytes. */
  bookOfBytes(sha256: string): Promise<BookRecord | undefined>;
  /**
   * Reads `parts` to their end. When this resolves, the book is on the shelf; if `parts` throws, nothing is stored. If
   * the same bytes were added in the meantime, returns that book.
   */
  add(facts: BookFacts, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  /** Finds parts that contain all words in the query, the last one as a prefix; `place` is the position of each. */
  search(
    query: string,
    limit: number,
  ): Promise<{ hits: (Omit<BookHit, 'place' | 'unit'> & { place: string })[]; more: boolean }>;
  /**
   * Reads from a position as many parts as fit into this many characters, at least one.
   * @throws Error a sentence for the model: there is no such book or position
   */
  read(bookId: string, place: string, chars: number): Promise<Reading>;
  /** The headings from this section. Throws the same errors as `read`. */
  contents(bookId: string, from: number): Promise<Contents>;
}

export function createShelf(name: string, add: Shelf['add'], store: BookStores): Shelf {
  /** The book with this id. For these tools, a book of another shelf does not exist. */
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
    read: async (id, place, chars) => readBook(store.books, await bookOf(id), place, chars),
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
