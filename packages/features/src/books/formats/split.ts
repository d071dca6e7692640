/** Splits a section into parts: small enough to serve as a passage, and large enough to make sense. */
import type { BookPart } from '../records.ts';
import type { BookSection } from './opened.ts';

/** Length of a part, in characters. */
const PART_CHARS = 4000;
/** Length of a heading, in characters. In a careless file, a heading may contain a whole chapter. */
const MAX_TITLE = 300;

interface TextPiece {
  text: string;
  line: number | null;
  last_line: number | null;
}

/** Splits a section into parts. @param n the number of the section */
export function splitSection({ title, text, line }: BookSection, n: number): BookPart[] {
  const clean = cleaned(text);
  const pieces = line === undefined ? passages(clean) : lots(clean, line);
  const heading = title === null ? null : toCleanLine(title, MAX_TITLE);
  return pieces.map((piece, index) => ({
    section: n,
    title: heading,
    piece: index + 1,
    pieces: pieces.length,
    ...piece,
  }));
}

/** Removes control characters and soft hyphens, and converts every line end to \n. */
const cleaned = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u00ad\ufeff\ufffe\uffff]/g, '')
    .toWellFormed();

/** Returns clean text on one line of at most `chars` characters; null if it is empty. */
export const toCleanLine = (text: string, chars: number): string | null =>
  cleaned(text).replace(/\s+/g, ' ').trim().slice(0, chars).toWellFormed() || null;

/** Splits at the end of a paragraph, or of a line, a sentence or a word; returns at least one piece. */
function passages(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let rest = 0;
  const none = { line: null, last_line: null };
  while (text.length - rest > PART_CHARS) {
    const end = rest + cutIn(text.slice(rest, rest + PART_CHARS));
    pieces.push({ text: text.slice(rest, end).trim(), ...none });
    rest = end;
  }
  return [...pieces, { text: text.slice(rest).trim(), ...none }];
}

/** Returns the position of the cut, never in the first half, because parts would become too small. */
function cutIn(window: string): number {
  for (const end of ['\n\n', '\n', '. ', ' ']) {
    const at = window.lastIndexOf(end);
    if (at > PART_CHARS / 2) return at + end.length;
  }
  return wholeCharacters(window);
}

/** Splits between lines, with as many lines per piece as fit. A line that does not fit into a piece is split. */
function lots(text: string, first: number): TextPiece[] {
  const pieces: TextPiece[] = [];
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
