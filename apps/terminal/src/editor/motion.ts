/** Positions in a text: the next grapheme, the next word, the ends of a line. */
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WORD = /[\p{L}\p{N}\p{M}_]/u;

export function before(text: string, at: number): number {
  return at <= 0 ? 0 : GRAPHEMES.segment(text).containing(at - 1)!.index;
}

export function after(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const { index, segment } = GRAPHEMES.segment(text).containing(at)!;
  return index + segment.length;
}

/** Moves a position inside of a grapheme to its end. */
export function snapped(text: string, at: number): number {
  const bounded = Math.max(0, Math.min(at, text.length));
  return bounded === text.length || before(text, after(text, bounded)) === bounded
    ? bounded
    : after(text, bounded);
}

export const wordBefore = (text: string, at: number): number =>
  skip(text, skip(text, at, before, false), before, true);
export const wordAfter = (text: string, at: number): number =>
  skip(text, skip(text, at, after, false), after, true);
/** Moves back over a word delimited by spaces, like ctrl-w in a shell. */
export function spaceBefore(text: string, at: number): number {
  let position = at;
  while (position > 0 && /\s/.test(text[position - 1]!)) position -= 1;
  while (position > 0 && !/\s/.test(text[position - 1]!)) position = before(text, position);
  return position;
}

export const lineStart = (text: string, at: number): number =>
  at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function skip(text: string, from: number, move: (text: string, at: number) => number, word: boolean): number {
  let at = from;
  for (;;) {
    const next = move(text, at);
    if (next === at || WORD.test(text.slice(Math.min(at, next), Math.max(at, next))) !== word) return at;
    at = next;
  }
}
