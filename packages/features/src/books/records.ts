/** Defines the stored records of books, which consist of parts of some paragraphs. */
import type { Book, BookUnit } from '@chat-kernel/protocol';
import type { Page } from '../feature.ts';

/** A book whose text was not yet counted. */
export interface NewBook extends Omit<Book, 'count' | 'chars'> {
  /** SHA-256 of the file's bytes, in hex. The same bytes are the same book, which can be on a shelf only once. */
  sha256: string;
}
export interface BookRecord extends NewBook, Pick<Book, 'count' | 'chars'> {}

/** The position of a part in its book. */
export interface BookPlace {
  /** The number of its page, chapter or section, from 1; always 1 in a text without these. */
  section: number;
  /** The heading of that section. */
  title: string | null;
  /** The number of this part in its section, from 1; then the number of parts in the section. */
  piece: number;
  pieces: number;
  /** The first and last line of the part in the file, from 1; null if the format has no meaningful lines. */
  line: number | null;
  last_line: number | null;
}

/** Some successive paragraphs of a book: the unit of search and of reading. */
export interface BookPart extends BookPlace {
  text: string;
}

/** A part with its number in the book, from 1. */
export interface NumberedPart extends BookPart {
  n: number;
}

/** Only books older than the book with the id `before`. */
export interface BookFilter extends Page {
  shelf?: string | undefined;
}

/** The part to find: by its section, by a line, or by text of a heading, in any case. */
export type WantedPart = { section: number; piece: number } | { line: number } | { heading: string };

/** A part that a search found. */
export interface BookHit {
  book_id: string;
  title: string;
  unit: BookUnit;
  place: BookPlace;
  /** A line around the matching words, as in a SearchHit. */
  snippet: string;
}
