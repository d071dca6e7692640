/** A file opened as a book, the common result of all formats. */
import type { BookFormat, BookUnit } from '@chat-kernel/protocol';

/** A page, a chapter, the text under a heading, or a whole text. */
export interface BookSection {
  title: string | null;
  text: string;
  /** The line of the file at which it begins, if the text has the lines of the file. */
  line?: number;
}

export interface OpenedBook {
  format: BookFormat;
  unit: BookUnit;
  title: string | null;
  author: string | null;
  /** The number of sections to come; null if unknown. */
  of: number | null;
  sections: AsyncIterable<BookSection> | Iterable<BookSection>;
  /** Returns remarks about the whole book, after all sections were read. */
  notes?(): string[];
}
