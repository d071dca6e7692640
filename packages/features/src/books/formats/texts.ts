/** Opens HTML pages, Markdown and plain text as books. */

import { type BookLimits, BookProblem } from '../limits.ts';
import { htmlText } from './html-text.ts';
import type { BookSection, OpenedBook } from './opened.ts';

/** Splits a page by its headings. @throws BookProblem */
export function openHtml(html: string, limits: BookLimits): OpenedBook {
  const { title, sections } = htmlText(html);
  if (sections.length === 0) throw new BookProblem('is an HTML page without any text');
  return of('html', 'section', title ?? sections[0]?.title ?? null, sections, limits);
}

/** Splits a text by its lines, and Markdown with headings by its headings, too. @throws BookProblem */
export function openText(whole: string, name: string, limits: BookLimits): OpenedBook {
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
