/** Parses and formats positions in books: `page 12`, `chapter 3, part 2/9`, `lines 40-60`, a heading. */
import type { BookUnit } from '@chat-kernel/protocol';
import type { BookPlace, WantedPart } from './records.ts';

/** The longest heading that is shown, in characters. */
const MAX_HEADING = 120;

/** The position at which reading begins; `to` is the last requested section or line. */
interface WantedPlace {
  from: WantedPart;
  to?: number;
}

/**
 * Formats a position: `page 12`, `chapter 3 "II. The Sea", part 3/9`, `section 2 "Install", lines 40-95`, `lines
 * 401-520, part 4/9`.
 */
export function placeName(
  unit: BookUnit,
  { section, title, piece, pieces, line, last_line }: BookPlace,
): string {
  const lines = line === null ? '' : line === last_line ? `line ${line}` : `lines ${line}-${last_line}`;
  const part = pieces > 1 ? `, part ${piece}/${pieces}` : '';
  // A line that is too long has several parts, so the position includes the number of the part.
  if (unit === 'line') return `${lines}${part}`;
  const heading = title === null ? '' : ` "${title.slice(0, MAX_HEADING).toWellFormed()}"`;
  return `${unit} ${section}${heading}${part}${lines === '' ? '' : `, ${lines}`}`;
}

/** Parses a position. Text in any other form is searched for in the headings. */
export function parsePlace(unit: BookUnit, place: string): WantedPlace {
  const text = place.trim();
  const [, first, last, part] = LINES.exec(text) ?? (unit === 'line' ? (NUMBERS.exec(text) ?? []) : []);
  // A text that is counted in lines has a single section.
  if (part !== undefined && unit === 'line') return { from: { section: 1, piece: Number(part) } };
  if (first !== undefined) return { from: { line: Number(first) }, ...(last && { to: Number(last) }) };
  const [, counted = unit, section, to, piece = '1'] = SECTION.exec(text) ?? [];
  // In a book that is counted in pages, "chapter 3" is not the third page: it may be a heading.
  if (section !== undefined && unit.startsWith(counted.toLowerCase())) {
    return { from: { section: Number(section), piece: Number(piece) }, ...(to && { to: Number(to) }) };
  }
  return { from: { heading: quotedIn(text) ?? text } };
}

/** The text between the first quote and the last one. */
function quotedIn(text: string): string | undefined {
  const begin = text.search(/["“]/) + 1;
  const end = Math.max(text.lastIndexOf('"'), text.lastIndexOf('”'));
  return begin > 0 && end > begin ? text.slice(begin, end) : undefined;
}

/** A number of at most nine digits: no book has larger ones, and databases would reject them. */
const N = String.raw`(\d{1,9})`;
const TO = String.raw`(?:\s*[-\u2013\u2014]\s*${N})?`;
const PART = String.raw`(?:,?\s*part\s+${N}(?:\/\d+)?)?`;
const LINES = new RegExp(String.raw`^lines?\s+${N}${TO}${PART}`, 'i');
const NUMBERS = new RegExp(`^${N}${TO}$`);
/** The form of a section. A heading in quotes may follow its number, as `placeName` formats it. */
const SECTION = new RegExp(
  String.raw`^(?:(page|p|chapter|section)s?\.?)?\s*${N}${TO}(?:\s+"[^]*")?${PART}(?:,\s*lines?\s.*)?$`,
  'i',
);
