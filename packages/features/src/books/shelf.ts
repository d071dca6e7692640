/** Provides a shelf to the tools of its chats (BT-2). */
import { isId } from '@chat-kernel/kernel';
import { placeName } from './place.ts';
import { readBook } from './reading.ts';
import type { BookPart, BookRecord, NewBook } from './records.ts';
import type { BookStore } from './store.ts';

/** Headings per page. */
const HEADINGS = 100;

/** The facts about a book: those stated in its file, and those found by reading it. */
export type BookFacts = Pick<
  NewBook,
  'title' | 'author' | 'format' | 'file_name' | 'size' | 'sha256' | 'unit'
>;

/** @param add stores a book on the shelf; see `BookStore.save` */
export function createShelf(
  name: string,
  add: (facts: BookFacts, parts: AsyncIterable<BookPart>) => Promise<BookRecord>,
  store: BookStore,
) {
  /** The book with this id. For these tools, a book of another shelf does not exist. */
  const bookOf = async (id: string): Promise<BookRecord> => {
    const book = isId(id) ? await store.get(id) : undefined;
    if (book === undefined || book.shelf !== name) {
      throw new Error(`There is no book ${id.slice(0, 100)} on the shelf "${name}".`);
    }
    return book;
  };
  return {
    name,
    /** The newest books, newest first. */
    books: (limit: number) => store.list({ shelf: name, limit }),
    /** The book on this shelf with these bytes. */
    bookOfBytes: (sha256: string) => store.findByBytes(name, sha256),
    add,
    /** Finds parts that contain all words in the query, the last one as a prefix; `place` is the position of each. */
    async search(query: string, limit: number) {
      const { hits, more } = await store.search(name, query, limit);
      return {
        hits: hits.map(({ unit, place, ...hit }) => ({ ...hit, place: placeName(unit, place) })),
        more,
      };
    },
    /**
     * Reads from a position as many parts as fit into this many characters, at least one.
     * @throws Error a sentence for the model: there is no such book or position
     */
    read: async (id: string, place: string, chars: number) => readBook(store, await bookOf(id), place, chars),
    /** The headings from this section, and the position that returns the next ones. Throws the same errors as `read`. */
    async contents(id: string, from: number) {
      const book = await bookOf(id);
      const found = await store.listHeadings(id, from, HEADINGS + 1);
      const next = found[HEADINGS];
      const headings = found
        .slice(0, HEADINGS)
        .map(place => placeName(book.unit, { ...place, piece: 1, pieces: 1 }));
      return { book, headings, next: next === undefined ? null : `contents ${next.section}` };
    },
  };
}

export type Shelf = ReturnType<typeof createShelf>;
