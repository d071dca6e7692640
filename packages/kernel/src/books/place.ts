/** Places in books, as people and models say them: `page 12`, `chapter 3, part 2/9`, `lines 40-60`, a heading. */
import type { BookUnit } from '@chat-kernel/protocol';
import type { BookPlace, WantedPart } from '../ports/index.ts';

/** Of headings no more is shown. */
const MAX_HEADING = 120;

/** Where reading is to begin; `to`: the last section, or line, that is wanted. */
export interface WantedPlace {
  from: WantedPart;
  to?: number;
}

/** `page 12`, `chapter 3 "II. The Sea", part 3/9`, `section 2 "Install", lines 40-95`, `lines 401-520`. */
export function placeName(
  unit: BookUnit,
  { section, title, piece, pieces, line, last_line }: BookPlace,
): string {
  const lines = line === null ? '' : line === last_line ? `line ${line}` : `lines ${line}-${last_line}`;
  if (unit === 'line') return lines;
  const heading = title === null ? '' : ` "${title.slice(0, MAX_HEADING).toWellFormed()}"`;
  const part = pieces > 1 ? `, part ${piece}/${pieces}` : '';
  return `${unit} ${section}${heading}${part}${lines === '' ? '' : `, ${lines}`}`;
}

/** Any words mean some place: those that are none of the known forms are looked for in headings. */
export function parsePlace(unit: BookUnit, place: string): WantedPlace {
  const text = place.trim();
  const [, first, last] = LINES.exec(text) ?? (unit === 'line' ? (NUMBERS.exec(text) ?? []) : []);
  if (first !== undefined) return { from: { line: Number(first) }, ...(last && { to: Number(last) }) };
  const [, section, to, piece = '1'] = SECTION.exec(text) ?? [];
  if (section !== undefined) {
    return { from: { section: Number(section), piece: Number(piece) }, ...(to && { to: Number(to) }) };
  }
  const [, quoted = text] = /["“](.+)["”]/.exec(text) ?? [];
  return { from: { heading: quoted } };
}

/** Larger numbers are of no book, and databases would not take them. */
const N = String.raw`(\d{1,9})`;
const TO = String.raw`(?:\s*[-–—]\s*${N})?`;
const LINES = new RegExp(String.raw`^lines?\s+${N}${TO}`, 'i');
const NUMBERS = new RegExp(`^${N}${TO}$`);
/** Behind the number a heading in quotes may stand, as in what `placeName` gives. */
const SECTION = new RegExp(
  String.raw`^(?:pages?|p\.?|chapters?|sections?)?\s*${N}${TO}(?:\s+"[^]*")?(?:,?\s*part\s+${N}(?:\/\d+)?)?(?:,\s*lines?\s.*)?$`,
  'i',
);
