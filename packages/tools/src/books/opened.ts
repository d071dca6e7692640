/** A file that was opened as a book of some format: what every format comes down to. */
import type { BookFormat, BookUnit } from '@chat-kernel/protocol';

/** A page, a chapter, what stands under a heading, or the whole of a text. */
export interface Section {
  title: string | null;
  text: string;
  /** The line of the file that it begins with, where its lines are those of the file. */
  line?: number;
}

export interface OpenedBook {
  format: BookFormat;
  unit: BookUnit;
  title: string | null;
  author: string | null;
  /** How many sections there will be; null: nobody knows. */
  of: number | null;
  sections: AsyncIterable<Section> | Iterable<Section>;
  /** Once all sections were read. */
  notes?(): string[];
}
