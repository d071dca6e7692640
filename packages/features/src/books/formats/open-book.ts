/** Opens a file as a book. The content decides the format; the name decides only between kinds of text. */

import { type BookLimits, BookProblem } from '../limits.ts';
import { byMark, declaredEncoding, decodeText } from './decode-text.ts';
import type { OpenedBook } from './opened.ts';
import { openHtml, openText } from './texts.ts';

/** @throws BookProblem */
export async function openBook(bytes: Uint8Array, name: string, limits: BookLimits): Promise<OpenedBook> {
  if (bytes.length === 0) throw new BookProblem('is empty (0 bytes)');
  const beginning = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  // A parser is loaded only for a file that needs it.
  if (beginning.includes('%PDF-')) return (await import('./pdf.ts')).openPdf(bytes, limits);
  if (ZIPS.some(sign => beginning.startsWith(sign))) {
    return (await import('./epub.ts')).openEpub(bytes, limits);
  }
  const other = OTHERS.find(([signs]) => signs.some(sign => beginning.startsWith(sign)));
  if (other) throw new BookProblem(`is ${other[1]}; ${TAKEN}`);
  if (byMark(bytes) === undefined && bytes.includes(0)) throw new BookProblem(`is not text; ${TAKEN}`);
  const text = decodeText(bytes, declaredEncoding(bytes));
  if (text.length > limits.chars) throw new BookProblem(tooLong(limits));
  return isHtml(text, name) ? openHtml(text, limits) : openText(text, name, limits);
}

export const tooLong = ({ chars }: BookLimits): string => `is too long; the limit is ${chars} characters`;

const TAKEN = 'supported formats: PDF, EPUB, HTML, Markdown, plain text';

/** First bytes of files that are not books → names of their formats. */
const OTHERS: readonly (readonly [signs: readonly string[], what: string])[] = [
  [['\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF'], 'an image or audio file'],
  [['\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh', '\xfd7zXZ'], 'a compressed file (extract it first)'],
  [['\xd0\xcf\x11\xe0'], 'an old office document (save it as PDF, HTML or text first)'],
  [['{\\rtf'], 'an RTF document (save it as PDF, HTML or text first)'],
  [['AT&TFORM'], 'a DjVu document (convert it to PDF first)'],
];
const ZIPS = ['PK\x03\x04', 'PK\x05\x06'];

function isHtml(text: string, name: string): boolean {
  const beginning = text.slice(0, 4096).trimStart();
  if (!beginning.startsWith('<')) return false;
  return /<(!doctype\s+)?html[\s>]/i.test(beginning) || /\.x?html?$/i.test(name);
}
