/** Limits the resources used to read a file, which may be hostile. The kernel keeps working during that time. */

export interface BookLimits {
  file_bytes: number;
  /** The total memory of the process that reads the file. */
  memory_bytes: number;
  /** The longest time between two messages of that process. */
  silent_secs: number;
  /** The total time, and also the processor time, so that a reader ends if its kernel was killed. */
  total_secs: number;
  /** Pages, chapters or headings. */
  sections: number;
  /** Characters of the whole text. */
  chars: number;
  /** Files in an archive. */
  entries: number;
  entry_bytes: number;
  unpacked_bytes: number;
}

export const BOOK_LIMITS: BookLimits = {
  file_bytes: 100_000_000,
  memory_bytes: 1_000_000_000,
  silent_secs: 60,
  total_secs: 600,
  sections: 20_000,
  chars: 30_000_000,
  entries: 10_000,
  entry_bytes: 20_000_000,
  unpacked_bytes: 200_000_000,
};

/** The reason why a file cannot become a book: a sentence for the model that begins with the name of the file. */
export class BookProblem extends Error {}
