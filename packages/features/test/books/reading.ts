/** Reads books for tests with the process that the kernel uses. */
import { BookReader, type ReadingProgress } from '../../src/books/book-reader.ts';
import { BOOK_LIMITS, type BookLimits } from '../../src/books/limits.ts';
import type { ReaderFacts } from '../../src/books/message.ts';
import type { BookPart } from '../../src/books/records.ts';

interface ReadBook extends Pick<ReaderFacts, 'format' | 'unit' | 'title' | 'author'> {
  parts: BookPart[];
  progress: ReadingProgress[];
  notes: readonly string[];
}

export async function readBook(
  bytes: Uint8Array | string,
  name = 'book',
  limits: Partial<BookLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ReadBook> {
  const reader = new BookReader(name, { ...BOOK_LIMITS, ...limits }, signal);
  try {
    await reader.feed(
      (async function* () {
        yield Buffer.from(bytes);
      })(),
    );
    const { type: _, ...facts } = await reader.facts();
    const progress: ReadingProgress[] = [];
    const parts: BookPart[] = [];
    for await (const part of reader.parts(({ done, of }) => progress.push({ done, of }))) parts.push(part);
    return { ...facts, parts, progress, notes: reader.notes };
  } finally {
    reader.stop();
  }
}

/** Returns the message with which a file is refused. */
export const refusal = (...read: Parameters<typeof readBook>): Promise<string> =>
  readBook(...read).then(
    book => `It is a book: ${JSON.stringify(book).slice(0, 300)}`,
    (error: Error) => error.message,
  );
