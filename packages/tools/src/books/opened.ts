/** A file that was opened as a book; every format opens to this. */
import type { BookFormat, BookUnit } from '@chat-kernel/protocol';

/** A page, a chapter, the text under a heading, or the whole of a text. */
export interface BookSection {
  title: string | null;
  text: string;
  /** The line of the file at which it begins, where its lines are those of the file. */
  line?: number;
}

export interface OpenedBook {
  format: BookFormat;
  unit: BookUnit;
  title: string | null;
  author: string | null;
  /** The number of sections to come; null: unknown. */
  of: number | null;
  sections: AsyncIterable<BookSection> | Iterable<BookSection>;
  /** Returns remarks about the whole book, once all sections were read. */
  notes?(): string[];
}
