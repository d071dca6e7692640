/** The books of a shelf, as the tools of a chat see them (BT-2). */
import type { BookPart, BookRecord, NewBook } from './store/books.ts';
import type { BookHit } from './store/search.ts';

/** The facts about a book: those that its file states, and those found by reading it. */
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
  /** The parts read, at least one. */
  parts: ReadPart[];
  /** The place where it goes on; null at the end of the book, or of the requested place. */
  next: string | null;
}

export interface Contents {
  book: BookRecord;
  /** The headings, each with its place. */
  headings: string[];
  /** The place that gives the headings after these; null: there are none. */
  next: string | null;
}

export interface Shelf {
  readonly name: string;
  /** The newest books, the newest first. */
  books(limit: number): Promise<BookRecord[]>;
  /** The book on this shelf that was made of these bytes. */
  bookOfBytes(sha256: string): Promise<BookRecord | undefined>;
  /**
   * Reads `parts` to their end. The book is on the shelf when this resolves; where `parts` throw, nothing of it
   * stays. Where the same bytes were added meanwhile, returns that book.
   */
  add(facts: BookFacts, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  /** Finds parts that have every word of the query, the last word as a beginning; `place` leads to each of them. */
  search(
    query: string,
    limit: number,
  ): Promise<{ hits: (Omit<BookHit, 'place' | 'unit'> & { place: string })[]; more: boolean }>;
  /**
   * Reads from a place on, as many parts as fit into so many characters, at least one.
   * @throws Error a sentence for the model: there is no such book or place
   */
  read(bookId: string, place: string, chars: number): Promise<Reading>;
  /** The headings from this section on. Throws as `read`. */
  contents(bookId: string, from: number): Promise<Contents>;
}
