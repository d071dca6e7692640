/** What a file may cost that becomes a book: whoever sends it may mean ill, and the kernel goes on meanwhile. */

export interface BookLimits {
  file_bytes: number;
  /** Of the process that reads it: all that it holds. */
  memory_bytes: number;
  /** Between two signs of life of that process. */
  silent_secs: number;
  /** Also of processor time, so that a reader ends whose kernel was killed. */
  total_secs: number;
  /** Pages, chapters or headings. */
  sections: number;
  /** Of the whole text. */
  chars: number;
  /** Of an archive. */
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

/** Why a file does not become a book: a sentence for the model, which goes on after the name of the file. */
export class BookProblem extends Error {}
