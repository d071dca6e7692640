/** Books in words: a line for each, and the title of one that says none. */
import { posix } from 'node:path';
import type { BookRecord, Shelf } from '@chat-kernel/kernel';

/** `"Title" by Ann (pdf, 320 pages), id <id>` */
export const bookLine = ({ id, title, author, format, count, unit }: BookRecord): string =>
  `"${title}"${author === null ? '' : ` by ${author}`} (${format}, ${count} ${unit}${count === 1 ? '' : 's'}), id ${id}`;

const MOST = 30;

/** What the shelf has, for a model that asked for what it has not. */
export async function shelfLines(shelf: Shelf): Promise<string> {
  const books = await shelf.books(MOST + 1);
  if (books.length === 0) return `The shelf "${shelf.name}" has no books yet: books_upload puts one there.`;
  const lines = books.slice(0, MOST).map(book => `- ${bookLine(book)}`);
  if (books.length > MOST) lines.push('- older ones, which only books_search finds');
  return `Books of the shelf "${shelf.name}":\n${lines.join('\n')}`;
}

/** What a file is called, without what says of which kind it is. */
export function titleOfName(name: string): string {
  const last = posix.basename(name.replaceAll('\\', '/'));
  return (
    last
      .replace(/\.[a-z0-9]{1,8}$/i, '')
      .replaceAll('_', ' ')
      .trim() || last
  );
}
