/** Opens a file as a book. The content decides the format; the name decides only between kinds of text. */
import { type BookLimits, BookProblem } from '../limits.ts';
import { byMark, declaredEncoding, decodeText } from './decode-text.ts';
import { htmlText } from './html-text.ts';
import type { BookSection, OpenedBook } from './opened.ts';

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

/** Splits a page by its headings. @throws BookProblem */
function openHtml(html: string, limits: BookLimits): OpenedBook {
  const { title, sections } = htmlText(html);
  if (sections.length === 0) throw new BookProblem('is an HTML page without any text');
  return of('html', 'section', title ?? sections[0]?.title ?? null, sections, limits);
}

/** Splits a text by its lines, and Markdown with headings by its headings, too. @throws BookProblem */
function openText(whole: string, name: string, limits: BookLimits): OpenedBook {
  // The end of the last line does not begin another line.
  const text = whole.replace(/(\r\n?|\n)$/, '');
  if (text.trim() === '') throw new BookProblem('contains only white space');
  const markdown = /\.(md|markdown|mkdn?)$/i.test(name);
  const sections = markdown ? headed(text) : [];
  if (sections.length > 1 || sections[0]?.title) {
    return of('markdown', 'section', sections.find(({ title }) => title)?.title ?? null, sections, limits);
  }
  return of(markdown ? 'markdown' : 'text', 'line', null, [{ title: null, text, line: 1 }], limits);
}

function of(
  format: OpenedBook['format'],
  unit: OpenedBook['unit'],
  title: string | null,
  sections: BookSection[],
  limits: BookLimits,
): OpenedBook {
  if (sections.length > limits.sections) {
    throw new BookProblem(`has ${sections.length} headings; the limit is ${limits.sections}`);
  }
  return { format, unit, title, author: null, of: sections.length, sections };
}

/** Splits Markdown at its headings, each of which begins a section. Ignores code, which has no headings. */
function headed(text: string): BookSection[] {
  const lines = text.split(/\r\n?|\n/);
  const sections: { title: string | null; from: number }[] = [{ title: null, from: 0 }];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
    } else if (fence === undefined) {
      const title = parseHeading(line, lines[at + 1]);
      if (title !== undefined) sections.push({ title, from: at });
    }
  }
  return sections
    .map(({ title, from }, index) => ({
      title,
      text: lines.slice(from, sections[index + 1]?.from).join('\n'),
      line: from + 1,
    }))
    .filter(section => section.text.trim() !== '');
}

/** Returns the title of `# Heading`, or of an underlined one. */
function parseHeading(line: string, below = ''): string | undefined {
  const [, hashed] = /^ {0,3}#{1,6}\s(.*)$/s.exec(line) ?? [];
  const heading = hashed?.replace(/\s#+\s*$/, '') ?? (/^=+\s*$/.test(below) ? line : '');
  return heading.trim() || undefined;
}
