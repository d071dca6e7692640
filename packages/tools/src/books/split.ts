/** Cuts sections into parts: small enough to be found as a passage, and large enough to make sense. */
import type { BookPart } from '@chat-kernel/kernel';
import type { Section } from './opened.ts';

/** Characters of a part. */
const PART_CHARS = 4000;
/** A heading may be anything, a whole chapter too. */
const MAX_TITLE = 300;

interface Piece {
  text: string;
  line: number | null;
  last_line: number | null;
}

/** @param n the number of the section */
export function partsOf({ title, text, line }: Section, n: number): BookPart[] {
  const clean = cleaned(text);
  const pieces = line === undefined ? passages(clean) : lots(clean, line);
  const heading = title === null ? null : cleaned(title).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
  return pieces.map((piece, index) => ({
    section: n,
    title: heading?.toWellFormed() || null,
    piece: index + 1,
    pieces: pieces.length,
    ...piece,
  }));
}

/** Without what no text has, and what only says where a word may be cut; one sign ends a line. */
export const cleaned = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u00ad\ufeff\ufffe\uffff]/g, '')
    .toWellFormed();

/** Cut where a paragraph ends, or a line, a sentence, a word; at least one. */
function passages(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = 0;
  const none = { line: null, last_line: null };
  while (text.length - rest > PART_CHARS) {
    const end = rest + cutIn(text.slice(rest, rest + PART_CHARS));
    pieces.push({ text: text.slice(rest, end).trim(), ...none });
    rest = end;
  }
  return [...pieces, { text: text.slice(rest).trim(), ...none }];
}

/** Not in the first half, for parts would become crumbs. */
function cutIn(window: string): number {
  for (const end of ['\n\n', '\n', '. ', ' ']) {
    const at = window.lastIndexOf(end);
    if (at > PART_CHARS / 2) return at + end.length;
  }
  return wholeCharacters(window);
}

/** Whole lines, as many as fit; a line that does not fit by itself is cut. */
function lots(text: string, first: number): Piece[] {
  const pieces: Piece[] = [];
  let lot: string[] = [];
  let chars = 0;
  let line = first;
  const close = () => {
    if (lot.length > 0) pieces.push({ text: lot.join('\n'), line: line - lot.length, last_line: line - 1 });
    lot = [];
    chars = 0;
  };
  for (let whole of text.split('\n')) {
    if (chars + whole.length > PART_CHARS) close();
    for (; whole.length > PART_CHARS; ) {
      const end = cutIn(whole.slice(0, PART_CHARS));
      pieces.push({ text: whole.slice(0, end), line, last_line: line });
      whole = whole.slice(end);
    }
    lot.push(whole);
    chars += whole.length + 1;
    line++;
  }
  close();
  return pieces;
}

const wholeCharacters = (window: string): number =>
  /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
