/** Fits lines to a width: breaks between words or anywhere, or cuts with an ellipsis. */
import { BLANK, graphemes, type Line, lineWidth, type Span, type Style, span, textWidth } from './line.ts';
import type { SafeText } from './safe.ts';

interface Cell {
  text: string;
  width: number;
  style: Style;
}

/** Breaks between words, or inside a word if it does not fit. No line is wider than `width` columns. */
export const wrapWords = (given: Line, width: number): Line[] => wrap(given, width, true);
/** Breaks at the last column, so that code and output lose no space. */
export const wrapAnywhere = (given: Line, width: number): Line[] => wrap(given, width, false);

/** Cuts a line to `width` columns and ends it with an ellipsis. */
export function fit(given: Line, width: number): Line {
  if (lineWidth(given) <= width) return given;
  if (width <= 0) return BLANK;
  const kept: Cell[] = [];
  let used = 0;
  for (const cell of cells(given)) {
    if (used + cell.width > width - 1) break;
    kept.push(cell);
    used += cell.width;
  }
  return [...join(kept), span('…', kept.at(-1)?.style ?? {})];
}

/** Fills a line with spaces up to `width` columns. */
export function pad(given: Line, width: number, align: 'left' | 'center' | 'right' = 'left'): Line {
  const missing = width - lineWidth(given);
  if (missing <= 0) return given;
  const before = align === 'left' ? 0 : align === 'right' ? missing : missing >> 1;
  const spaces = (count: number): Span[] => (count > 0 ? [span(' '.repeat(count))] : []);
  return [...spaces(before), ...given, ...spaces(missing - before)];
}

/** Puts `first` before the first line, `rest` before the others. */
export const indent = (lines: readonly Line[], first: Line, rest: Line = first): Line[] =>
  lines.map((each, index) => [...(index === 0 ? first : rest), ...each]);

/** Returns the last `rows` lines. The first one then counts the hidden lines. */
export function tail(lines: readonly Line[], rows: number): Line[] {
  if (lines.length <= rows) return [...lines];
  if (rows <= 0) return [];
  const hidden = lines.length - rows + 1;
  return [[span(`… ${hidden} more above`, { dim: true })], ...lines.slice(hidden)];
}

function wrap(given: Line, width: number, words: boolean): Line[] {
  const limit = Math.max(1, width);
  if (lineWidth(given) <= limit) return [given];
  const lines: Cell[][] = [];
  let current: Cell[] = [];
  let used = 0;
  const close = (next: Cell[]) => {
    lines.push(current);
    current = next;
    used = next.reduce((sum, cell) => sum + cell.width, 0);
  };
  for (const cell of cells(given)) {
    if (used + cell.width > limit && current.length > 0) {
      if (words && cell.text === ' ') {
        close([]);
        continue;
      }
      const space = words ? current.findLastIndex(each => each.text === ' ') : -1;
      // Do not break at leading spaces.
      const breakable = space > 0 && current.slice(0, space).some(each => each.text !== ' ');
      close(breakable ? current.splice(space).slice(1) : []);
    }
    current.push(cell);
    used += cell.width;
  }
  if (current.length > 0) lines.push(current);
  return lines.map(join);
}

function* cells(given: Line): Generator<Cell> {
  for (const { text, style } of given) {
    for (const each of graphemes(text)) {
      yield { text: each, width: textWidth(each), style };
    }
  }
}

function join(given: readonly Cell[]): Line {
  const spans: { text: SafeText; style: Style }[] = [];
  for (const { text, style } of given) {
    const last = spans.at(-1);
    if (last?.style === style) last.text = (last.text + text) as SafeText;
    else spans.push({ text: text as SafeText, style });
  }
  return spans;
}
