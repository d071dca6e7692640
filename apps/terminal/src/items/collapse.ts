/** Collapses long text to a few lines. The work is bounded by the visible part, not by the text. */
import { type Line, line, type Style } from '../text/line.ts';
import { splitLines } from '../text/safe.ts';
import { fit, wrapAnywhere } from '../text/wrap.ts';
import { moreLines } from './view.ts';

/** Limits the work on a line that is cut at the width. */
const LINE_CHARS = 2000;

/** Returns the first `rows` lines and a count of the others, or all lines, wrapped, if `rows` is null. */
export function collapseToHead(text: string, rows: number | null, width: number, style?: Style): Line[] {
  if (text.trim() === '') return [];
  const body = withoutBreaks(text);
  if (rows === null) return splitLines(body).flatMap(each => wrapAnywhere(line(each, style), width));
  const { shown, hidden } = firstLines(body, rows);
  const lines = splitLines(shown).map(each => fit(line(each.slice(0, LINE_CHARS), style), width));
  return hidden > 0 ? [...lines, moreLines(hidden)] : lines;
}

/** Returns the last `rows` lines of a text, each cut at the width. */
export function collapseToTail(text: string, rows: number, width: number, style?: Style): Line[] {
  const body = text.trimEnd();
  if (body === '') return [];
  let from = body.length;
  for (let row = 0; row < rows && from >= 0; row++) from = body.lastIndexOf('\n', from - 1);
  return splitLines(body.slice(Math.max(0, from + 1))).map(each =>
    fit(line(each.slice(0, LINE_CHARS), style), width),
  );
}

/** A loop, because a regular expression is slow on many line breaks. */
function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function firstLines(text: string, rows: number): { shown: string; hidden: number } {
  let end = -1;
  for (let row = 0; row < rows; row++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return { shown: text, hidden: 0 };
  }
  let hidden = 1;
  for (let at = text.indexOf('\n', end + 1); at >= 0; at = text.indexOf('\n', at + 1)) hidden += 1;
  // Show a single remaining line instead of its count.
  return hidden === 1 ? { shown: text, hidden: 0 } : { shown: text.slice(0, end), hidden };
}
