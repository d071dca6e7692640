/** Highlights source code in the terminal's own palette. */
import { common, createLowlight } from 'lowlight';
import { type Line, line, type Span, type Style, span } from '../text/line.ts';
import { safe, splitLines } from '../text/safe.ts';

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Node = Tree['children'][number];

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
/** Grammars are slow on longer lines, which are mostly generated code. */
const MAX_LINE_CHARS = 2000;

let grammars: ReturnType<typeof createLowlight> | undefined;

/** Returns the lines of code, unstyled if the language is unknown. */
export function highlight(text: string, language: string): Line[] {
  // Make the text safe before the grammar splits it, while escape sequences are whole.
  const lines = splitLines(text).map(safe);
  grammars ??= createLowlight(common);
  if (!grammars.registered(language.toLowerCase()) || lines.some(each => each.length > MAX_LINE_CHARS)) {
    return lines.map(each => line(each));
  }
  const out: Span[][] = [[]];
  for (const { text: piece, style } of pieces(
    grammars.highlight(language.toLowerCase(), lines.join('\n')).children,
    {},
  )) {
    piece.split('\n').forEach((each, index) => {
      if (index > 0) out.push([]);
      if (each !== '') out.at(-1)!.push(span(each, style));
    });
  }
  return out;
}

function* pieces(nodes: readonly Node[], style: Style): Generator<{ text: string; style: Style }> {
  for (const node of nodes) {
    if (node.type === 'text') yield { text: node.value, style };
    else if (node.type === 'element')
      yield* pieces(node.children as Node[], findStyle(node.properties.className, style));
  }
}

function findStyle(classes: unknown, outer: Style): Style {
  const name = Array.isArray(classes) ? String(classes[0]).replace('hljs-', '') : '';
  return STYLES[name] ?? outer;
}
