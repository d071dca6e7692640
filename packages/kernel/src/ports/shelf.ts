/** The books of one shelf, as the tools of a chat see them (BT-2). */
import type { BookHit, BookPart, BookRecord, NewBook } from './record.ts';

/** What a file says of itself, and what it was found to be. */
export type BookFacts = Pick<
  NewBook,
  'title' | 'author' | 'format' | 'file_name' | 'size' | 'sha256' | 'unit'
>;

/** A part with the words that lead to it. */
export interface ReadPart {
  place: string;
  text: string;
}

export interface Reading {
  book: BookRecord;
  /** At least one. */
  parts: ReadPart[];
  /** Where it goes on; null at the end of the book, or of what was asked for. */
  next: string | null;
}

export interface Contents {
  book: BookRecord;
  /** Each with its place. */
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
   * Reads `parts` to their end; the book is on the shelf when this answers, and nothing of it where they throw.
   * Where the same bytes were put there meanwhile, answers that book.
   */
  add(facts: BookFacts, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  /** Every word must be in a part, the last one as a beginning; `place` leads to it. */
  search(
    query: string,
    limit: number,
  ): Promise<{ hits: (Omit<BookHit, 'place' | 'unit'> & { place: string })[]; more: boolean }>;
  /**
   * From a place on, as many parts as fit into so many characters, one at least.
   * @throws Error a sentence for the model: there is no such book or place
   */
  read(bookId: string, place: string, chars: number): Promise<Reading>;
  /** Headings from this section on. Throws as `read`. */
  contents(bookId: string, from: number): Promise<Contents>;
}
