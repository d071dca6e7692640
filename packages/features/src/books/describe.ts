/** Describes books in text: a line for each, and a title for a book without one. */
import { posix } from 'node:path';
import type { BookRecord } from './records.ts';
import type { Shelf } from './shelf.ts';

/** Formats a line such as `"Title" by Ann (pdf, 320 pages), id <id>`. */
export const bookLine = ({ id, title, author, format, count, unit }: BookRecord): string =>
  `"${title}"${author === null ? '' : ` by ${author}`} (${format}, ${count} ${unit}${count === 1 ? '' : 's'}), id ${id}`;

const MAX_LISTED = 30;

/** Lists the books of the shelf, for a model that asked for a book that is not on it. */
export async function shelfLines(shelf: Shelf): Promise<string> {
  const books = await shelf.books(MAX_LISTED + 1);
  if (books.length === 0) return `The shelf "${shelf.name}" has no books yet. Use books_upload to add one.`;
  const lines = books.slice(0, MAX_LISTED).map(book => `- ${bookLine(book)}`);
  if (books.length > MAX_LISTED) lines.push('- older books, found only by books_search');
  return `Books of the shelf "${shelf.name}":\n${lines.join('\n')}`;
}

/** Derives a title from the file's name, without its extension. */
export function titleOfName(name: string): string {
  const last = posix.basename(name.replaceAll('\\', '/'));
  return (
    last
      .replace(/\.[a-z0-9]{1,8}$/i, '')
      .replaceAll('_', ' ')
      .trim() || last
  );
}
