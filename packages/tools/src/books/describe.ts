/** Books in words: a line for each, and a title for a book that names none. */
import { posix } from 'node:path';
import type { BookRecord, Shelf } from '@chat-kernel/kernel';

/** Writes a line such as `"Title" by Ann (pdf, 320 pages), id <id>`. */
export const bookLine = ({ id, title, author, format, count, unit }: BookRecord): string =>
  `"${title}"${author === null ? '' : ` by ${author}`} (${format}, ${count} ${unit}${count === 1 ? '' : 's'}), id ${id}`;

const MOST = 30;

/** Lists the books of the shelf, for a model that asked for a book it has not. */
export async function shelfLines(shelf: Shelf): Promise<string> {
  const books = await shelf.books(MOST + 1);
  if (books.length === 0) return `The shelf "${shelf.name}" has no books yet: books_upload puts one there.`;
  const lines = books.slice(0, MOST).map(book => `- ${bookLine(book)}`);
  if (books.length > MOST) lines.push('- older ones, which only books_search finds');
  return `Books of the shelf "${shelf.name}":\n${lines.join('\n')}`;
}

/** Makes a title of the file's name, without its extension. */
export function titleOfName(name: string): string {
  const last = posix.basename(name.replaceAll('\\', '/'));
  return (
    last
      .replace(/\.[a-z0-9]{1,8}$/i, '')
      .replaceAll('_', ' ')
      .trim() || last
  );
}
