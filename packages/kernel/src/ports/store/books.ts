/** Books on shelves, in parts of some paragraphs. */
import type { Book } from '@chat-kernel/protocol';

/** A book before its text was counted. */
export interface NewBook extends Omit<Book, 'count' | 'chars'> {
  /** SHA-256 of the file's bytes, in hex. The same bytes are the same book, which is on a shelf only once. */
  sha256: string;
}
export interface BookRecord extends NewBook, Pick<Book, 'count' | 'chars'> {}

/** The place of a part in its book. */
export interface BookPlace {
  /** The number of its page, chapter or section, from 1; always 1 in a text that has none of these. */
  section: number;
  /** The heading of that section. */
  title: string | null;
  /** The number of this part in its section, from 1, and below it how many parts the section has. */
  piece: number;
  pieces: number;
  /** The first and last line of the part in the file, from 1; null where a file has no lines to speak of. */
  line: number | null;
  last_line: number | null;
}

/** Some paragraphs of a book, in their order: the unit of search and of reading. */
export interface BookPart extends BookPlace {
  text: string;
}

/** A part with its number in the book, from 1. */
export interface NumberedPart extends BookPart {
  n: number;
}

export interface BookFilter {
  limit: number;
  /** Only books older than this book id. */
  before?: string;
  shelf?: string;
}

/** A part to look for: by its section, by a line, or by words of a heading, in any case. */
export type WantedPart = { section: number; piece: number } | { line: number } | { heading: string };

export interface BookStore {
  /**
   * Stores a book, reading `parts` to their end; the book is invisible before it is whole. Throws what `parts` throw;
   * then nothing of it stays. Where its shelf has a book of the same bytes, returns that one, and adds nothing.
   */
  save(book: NewBook, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  get(id: string): Promise<BookRecord | undefined>;
  /** Returns the book of a shelf that was made of these bytes. */
  findByBytes(shelf: string, sha256: string): Promise<BookRecord | undefined>;
  /** Returns the newest books first, sorted by id, which grows with time. */
  list(filter: BookFilter): Promise<BookRecord[]>;
  /**
   * Returns the changed book, or undefined where there is none. Rejects where the new shelf has a book of the same
   * bytes.
   */
  update(id: string, changes: Partial<Pick<BookRecord, 'title' | 'shelf'>>): Promise<BookRecord | undefined>;
  /** Returns false where there was no such book. */
  delete(id: string): Promise<boolean>;
  /** Parts from this one on (inclusive), in their order. */
  listParts(id: string, from: number, limit: number): Promise<NumberedPart[]>;
  /** Returns the number of the first part that fits. */
  findPart(id: string, wanted: WantedPart): Promise<number | undefined>;
  /** Sections with a heading, from this section on, in their order. */
  listHeadings(id: string, from: number, limit: number): Promise<BookPlace[]>;
}
