/** The books of a shelf, as the tools of a chat see them (BT-2). */
import type { BookPart, BookRecord, NewBook } from './store/books.ts';
import type { BookHit } from './store/search.ts';

/** The facts that a file states, and those found by reading it. */
export type BookFacts = Pick<
  NewBook,
  'title' | 'author' | 'format' | 'file_name' | 'size' | 'sha256' | 'unit'
>;

/** A part with the place, in words, that leads to it. */
export interface ReadPart {
  place: string;
  text: string;
}

export interface Reading {
  book: BookRecord;
  /** At least one. */
  parts: ReadPart[];
  /** The place where it goes on; null at the end of the book, or of the requested place. */
  next: string | null;
}

export interface Contents {
  book: BookRecord;
  /** Headings, each with its place. */
  headings: string[];
  /** The place that gives the headings after these; null: there are none. */
  next: string | null;
}

export interface Shelf {
  readonly name: string;
  /** The newest first. */
  books(limit: number): Promise<BookRecord[]>;
  /** The book that these bytes are. */
  bookOfBytes(sha256: string): Promise<BookRecord | undefined>;
  /**
   * Reads `parts` to their end; the book is on the shelf when this resolves, and nothing of it where they throw.
   * Where the same bytes were added meanwhile, returns that book.
   */
  add(facts: BookFacts, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  /** Every word must be in a part, the last one as a beginning; `place` leads to it. */
  search(
    query: string,
    limit: number,
  ): Promise<{ hits: (Omit<BookHit, 'place' | 'unit'> & { place: string })[]; more: boolean }>;
  /**
   * Reads from a place on, as many parts as fit into so many characters, at least one.
   * @throws Error a sentence for the model: there is no such book or place
   */
  read(bookId: string, place: string, chars: number): Promise<Reading>;
  /** Headings from this section on. Throws as `read`. */
  contents(bookId: string, from: number): Promise<Contents>;
}
