/** Replacement of text by text, in files of either line ending. */

interface ReplacedText {
  /** The whole text afterwards. */
  text: string;
  /** The line, from 1, at which each occurrence began; empty: there was none. */
  lines: number[];
}

/** Replaces each occurrence. A model writes \n, which means \r\n in a file whose lines end so; such lines keep their ends. */
export function replacePart(text: string, old: string, next: string): ReplacedText {
  const windows = /\r\n/.test(text);
  const unixLines = /(?<!\r)\n/.test(text);
  const exact = replaceExactly(text, old, next);
  if (!windows || (unixLines && exact.lines.length > 0)) return exact;
  return replaceExactly(text, withCrLf(old), withCrLf(next));
}

function replaceExactly(text: string, old: string, next: string): ReplacedText {
  const pieces = text.split(old);
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, -1)) {
    line += newlines(piece);
    lines.push(line);
    line += newlines(old);
  }
  return { text: pieces.join(next), lines };
}

const withCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
const newlines = (text: string): number => text.split('\n').length - 1;
