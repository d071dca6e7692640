/** The parts of a section: small enough to be found as a passage, and large enough to make sense. */
import type { BookPart } from '@chat-kernel/kernel';
import type { BookSection } from './opened.ts';

/** Characters of a part. */
const PART_CHARS = 4000;
/** Characters of a heading, which may be a whole chapter in a careless file. */
const MAX_TITLE = 300;

interface TextPiece {
  text: string;
  line: number | null;
  last_line: number | null;
}

/** Cuts a section into parts. @param n the number of the section */
export function partsOf({ title, text, line }: BookSection, n: number): BookPart[] {
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

/** Removes characters that no text has, and soft hyphens; every line end becomes \n. */
export const cleaned = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u00ad\ufeff\ufffe\uffff]/g, '')
    .toWellFormed();

/** Cuts where a paragraph ends, or a line, a sentence, a word; returns at least one piece. */
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

/** Returns where to cut: not in the first half, for parts would become crumbs. */
function cutIn(window: string): number {
  for (const end of ['\n\n', '\n', '. ', ' ']) {
    const at = window.lastIndexOf(end);
    if (at > PART_CHARS / 2) return at + end.length;
  }
  return wholeCharacters(window);
}

/** Cuts between lines, as many to a piece as fit; a line that does not fit by itself is cut. */
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
