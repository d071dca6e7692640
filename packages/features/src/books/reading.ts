/** Reads as many parts of a book as fit, from a given position, and returns the position of the rest. */
import { parsePlace, placeName } from './place.ts';
import type { BookRecord, NumberedPart } from './records.ts';
import type { BookStore } from './store.ts';

/** A part with the text of its position. */
interface ReadPart {
  place: string;
  text: string;
}

export interface Reading {
  book: BookRecord;
  /** The parts that were read, at least one. */
  parts: ReadPart[];
  /** The next position; null at the end of the book, or of the requested range. */
  next: string | null;
}

/** Parts fetched per query. */
const STEP = 8;
/** The least number of characters that a part counts for: a thousand empty pages of a scan are a long answer, too. */
const MIN_PART_CHARS = 32;

/**
 * Reads parts of at most this many characters together, and at least one part.
 * @throws Error a sentence for the model: the book has no such position
 */
export async function readBook(
  books: BookStore,
  book: BookRecord,
  place: string,
  chars: number,
): Promise<Reading> {
  const { from, to } = parsePlace(book.unit, place);
  const first = await books.findPart(book.id, from);
  if (first === undefined) throw new Error(noPlace(book, place));
  const line = 'line' in from ? from.line : null;
  const parts: ReadPart[] = [];
  let left = chars;
  for await (const part of partsFrom(books, book.id, first)) {
    const at = line === null ? part.section : Math.max(line, part.line ?? 0);
    if (to !== undefined && at > to) break;
    const shown = line === null ? part : selectLines(part, line, to ?? Number.POSITIVE_INFINITY);
    const name = placeName(book.unit, shown);
    const size = MIN_PART_CHARS + name.length + shown.text.length;
    if (parts.length > 0 && size > left) return { book, parts, next: name };
    left -= size;
    parts.push({ place: name, text: shown.text });
  }
  // The requested end is before the beginning, or between two sections.
  if (parts.length === 0) throw new Error(noPlace(book, place));
  return { book, parts, next: null };
}

async function* partsFrom(books: BookStore, id: string, first: number): AsyncGenerator<NumberedPart> {
  for (let from = first; ; from += STEP) {
    const parts = await books.listParts(id, from, STEP);
    yield* parts;
    if (parts.length < STEP) return;
  }
}

/**
 * Returns the requested lines of a part. If a line was split into several parts, no part contains all of it, so such a
 * part is returned unchanged.
 */
function selectLines(part: NumberedPart, from: number, to: number): NumberedPart {
  const { line, last_line } = part;
  if (line === null || last_line === null || (from <= line && to >= last_line)) return part;
  const lines = part.text.split('\n');
  if (lines.length !== last_line - line + 1) return part;
  const text = lines.slice(Math.max(0, from - line), to - line + 1).join('\n');
  // The lines already give the position of this text; the number of a part would imply all of its lines.
  return { ...part, pieces: 1, text, line: Math.max(line, from), last_line: Math.min(last_line, to) };
}

function noPlace({ title, unit, count }: BookRecord, place: string): string {
  const has = `"${title}" has ${count} ${unit}${count === 1 ? '' : 's'}`;
  const headings =
    unit === 'chapter' || unit === 'section' ? '; use the place "contents" to list its headings' : '';
  return `There is no place ${JSON.stringify(place.slice(0, 200))}: ${has}${headings}.`;
}
