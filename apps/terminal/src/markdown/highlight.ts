/** Highlights source code in the terminal's own palette. */
import { highlightCode } from '@chat-kernel/text/highlight';
import { type Line, line, type Span, type Style, span } from '../text/line.ts';
import { safe, splitLines } from '../text/safe.ts';

/** A class of the highlighter → its style. Comments are dim, because gray is unreadable on some backgrounds. */
const STYLES: Record<string, Style> = {
  comment: { dim: true, italic: true },
  quote: { dim: true, italic: true },
  keyword: { colour: 'magenta' },
  'selector-tag': { colour: 'magenta' },
  literal: { colour: 'cyan' },
  number: { colour: 'cyan' },
  symbol: { colour: 'cyan' },
  bullet: { colour: 'cyan' },
  string: { colour: 'green' },
  regexp: { colour: 'green' },
  addition: { colour: 'green' },
  deletion: { colour: 'red' },
  title: { colour: 'blue' },
  section: { colour: 'blue', bold: true },
  name: { colour: 'blue' },
  type: { colour: 'yellow' },
  built_in: { colour: 'yellow' },
  class: { colour: 'yellow' },
  attr: { colour: 'yellow' },
  attribute: { colour: 'yellow' },
  variable: { colour: 'cyan' },
  meta: { dim: true },
  strong: { bold: true },
  emphasis: { italic: true },
};

/** Returns the lines of code, unstyled if the language is unknown. */
export function highlight(text: string, language: string): Line[] {
  // Make the text safe before the grammar splits it, while escape sequences are whole.
  const lines = splitLines(text).map(safe);
  const pieces = highlightCode(lines.join('\n'), language);
  if (pieces === null) return lines.map(each => line(each));
  const out: Span[][] = [[]];
  for (const [piece, names] of pieces) {
    const style = STYLES[names.findLast(name => Object.hasOwn(STYLES, name)) ?? ''] ?? {};
    piece.split('\n').forEach((each, index) => {
      if (index > 0) out.push([]);
      if (each !== '') out.at(-1)!.push(span(each, style));
    });
  }
  return out;
}
