/** Books on shelves, in parts of some paragraphs. */
import type { Book } from '@chat-kernel/protocol';

/** A book before its text was counted. */
export interface NewBook extends Omit<Book, 'count' | 'chars'> {
  /** Of the bytes of its file, in hex: the same bytes are the same book, once on a shelf. */
  sha256: string;
}
export interface BookRecord extends NewBook, Pick<Book, 'count' | 'chars'> {}

/** Where in its book a part stands. */
export interface BookPlace {
  /** Its page, chapter or section, from 1; of a text without any, 1. */
  section: number;
  /** The heading of that section. */
  title: string | null;
  /** Which of the parts of its section it is, from 1, and how many there are. */
  piece: number;
  pieces: number;
  /** Its first and last line in the file, from 1; null where a file has no lines to speak of. */
  line: number | null;
  last_line: number | null;
}

/** Some paragraphs of a book, in their order: the unit of search and of reading. */
export interface BookPart extends BookPlace {
  text: string;
}

/** A part, by its number in the book, from 1. */
export interface NumberedPart extends BookPart {
  n: number;
}

export interface BookFilter {
  limit: number;
  /** Only books older than this book id. */
  before?: string;
  shelf?: string;
}

/** Which part of a book: of a section, with a line, or under a heading that has these words, in any case. */
export type WantedPart = { section: number; piece: number } | { line: number } | { heading: string };

export interface BookStore {
  /**
   * Reads `parts` to their end. The book is invisible before it is whole. Throws what they throw; then nothing of it
   * stays. Where its shelf has a book of the same bytes, returns that one, and adds nothing.
   */
  save(book: NewBook, parts: AsyncIterable<BookPart>): Promise<BookRecord>;
  get(id: string): Promise<BookRecord | undefined>;
  /** The book of a shelf that these bytes are. */
  findByBytes(shelf: string, sha256: string): Promise<BookRecord | undefined>;
  /** Newest first: by id, which sorts by creation. */
  list(filter: BookFilter): Promise<BookRecord[]>;
  /** Undefined where there is none. Rejects where the new shelf has a book of the same bytes. */
  update(id: string, changes: Partial<Pick<BookRecord, 'title' | 'shelf'>>): Promise<BookRecord | undefined>;
  /** False where there was none. */
  delete(id: string): Promise<boolean>;
  /** Parts from this one on (inclusive), in their order. */
  listParts(id: string, from: number, limit: number): Promise<NumberedPart[]>;
  /** The number of the first such part. */
  findPart(id: string, wanted: WantedPart): Promise<number | undefined>;
  /** Sections with a heading, from this section on, in their order. */
  listHeadings(id: string, from: number, limit: number): Promise<BookPlace[]>;
}
