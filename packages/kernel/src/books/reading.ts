/** Reading a book from a place on, as many parts as fit, and the place where it goes on. */
import type { BookRecord, NumberedPart, Reading, ReadPart, Store } from '../ports/index.ts';
import { parsePlace, placeName } from './place.ts';

/** The parts that are fetched at once. */
const STEP = 8;
/** The characters that even an empty part counts for: a thousand empty pages of a scan are a long answer too. */
const LEAST = 32;

/**
 * Reads parts of at most so many characters together, and at least one part.
 * @throws Error a sentence for the model: the book has no such place
 */
export async function readBook(
  store: Pick<Store, 'books'>,
  book: BookRecord,
  place: string,
  chars: number,
): Promise<Reading> {
  const { from, to } = parsePlace(book.unit, place);
  const first = await store.books.findPart(book.id, from);
  if (first === undefined) throw new Error(noPlace(book, place));
  const line = 'line' in from ? from.line : null;
  const parts: ReadPart[] = [];
  let left = chars;
  for await (const part of partsFrom(store, book.id, first)) {
    const at = line === null ? part.section : Math.max(line, part.line ?? 0);
    if (to !== undefined && at > to) break;
    const shown = line === null ? part : linesOf(part, line, to ?? Number.POSITIVE_INFINITY);
    const name = placeName(book.unit, shown);
    const size = LEAST + name.length + shown.text.length;
    if (parts.length > 0 && size > left) return { book, parts, next: name };
    left -= size;
    parts.push({ place: name, text: shown.text });
  }
  // The wanted end lies before the beginning, or between two sections.
  if (parts.length === 0) throw new Error(noPlace(book, place));
  return { book, parts, next: null };
}

async function* partsFrom(
  store: Pick<Store, 'books'>,
  id: string,
  first: number,
): AsyncGenerator<NumberedPart> {
  for (let from = first; ; from += STEP) {
    const parts = await store.books.listParts(id, from, STEP);
    yield* parts;
    if (parts.length < STEP) return;
  }
}

/**
 * The lines of a part that were asked for. A line that was cut into several parts is whole in none of them, so such a
 * part is left as it is.
 */
function linesOf(part: NumberedPart, from: number, to: number): NumberedPart {
  const { line, last_line } = part;
  if (line === null || last_line === null || (from <= line && to >= last_line)) return part;
  const lines = part.text.split('\n');
  if (lines.length !== last_line - line + 1) return part;
  const text = lines.slice(Math.max(0, from - line), to - line + 1).join('\n');
  // The lines say where this text stands; a number of the part would promise all of its lines.
  return { ...part, pieces: 1, text, line: Math.max(line, from), last_line: Math.min(last_line, to) };
}

function noPlace({ title, unit, count }: BookRecord, place: string): string {
  const has = `"${title}" has ${count} ${unit}${count === 1 ? '' : 's'}`;
  const headings =
    unit === 'chapter' || unit === 'section' ? '; the place "contents" lists its headings' : '';
  return `There is no place ${JSON.stringify(place.slice(0, 200))}: ${has}${headings}.`;
}
