/** Renders Markdown blocks as lines that fit a width. */
import type { Details, Footnote, MarkdownBlock } from '@chat-kernel/text/markdown';
import type { Token, Tokens } from 'marked';
import { BLANK, type Line, line, lineText, lineWidth, type Style, span } from '../text/line.ts';
import { splitLines } from '../text/safe.ts';
import { indent, pad, wrapAnywhere, wrapWords } from '../text/wrap.ts';
import { highlight } from './highlight.ts';
import { inlineLines } from './inline.ts';

interface BlockView {
  /** Columns. */
  width: number;
  /** Whether the terminal supports hyperlinks; otherwise URLs are written out. */
  links: boolean;
}

/** Returns the lines of consecutive blocks, with empty lines between them. */
export const blocksLines = (blocks: readonly MarkdownBlock[], view: BlockView): Line[] =>
  blocks.flatMap((block, index) => [
    ...(index > 0 && !block.glued ? [BLANK] : []),
    ...tokenLines(block.token, view, block.ordinal),
  ]);

function tokenLines(token: Token, view: BlockView, ordinal?: number): Line[] {
  switch (token.type) {
    case 'heading':
      return headingLines(token as Tokens.Heading, view);
    case 'paragraph':
    case 'text':
      return words(renderInline(token, view), view.width);
    case 'code':
      return codeLines(token as Tokens.Code, view.width);
    case 'list':
      return listLines(token as Tokens.List, view, ordinal);
    case 'blockquote':
      return indent(nested(token.tokens ?? [], narrower(view, 2)), [span('│ ', { dim: true })]);
    case 'table':
      return tableLines(token as Tokens.Table, view);
    case 'footnote':
      return footnoteLines(token as Footnote, view);
    case 'details':
      return detailsLines(token as Details, view);
    case 'hr':
      return [line('─'.repeat(Math.min(view.width, 40)), { dim: true })];
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    // Show HTML and unknown tokens of later parser versions as text.
    default:
      return splitLines(token.raw.trimEnd()).flatMap(each =>
        wrapWords(line(each, { dim: true }), view.width),
      );
  }
}

function headingLines({ depth, tokens }: Tokens.Heading, view: BlockView): Line[] {
  const style: Style = depth <= 2 ? { bold: true, colour: 'magenta' } : { bold: true };
  const lines = words(inlineLines(tokens, view.links, style), view.width);
  return depth === 1
    ? lines.map(each => each.map(piece => ({ ...piece, style: { ...piece.style, underline: true } })))
    : lines;
}

/** Highlights by the language of the fence. Lines break anywhere, so that the code keeps its spaces. */
function codeLines({ lang, text }: Tokens.Code, width: number): Line[] {
  const inner = Math.max(1, width - 2);
  const lines = highlight(text, lang?.trim().split(/\s+/)[0] ?? '');
  return indent(
    lines.flatMap(each => wrapAnywhere(each, inner)),
    [span('  ')],
  );
}

function listLines(list: Tokens.List, view: BlockView, ordinal?: number): Line[] {
  const start = ordinal ?? (Number(list.start) || 0);
  return list.items.flatMap((item, index) => {
    const marker = item.task ? (item.checked ? '☑ ' : '☐ ') : list.ordered ? `${start + index}. ` : '• ';
    const inner = nested(item.tokens, narrower(view, marker.length), false);
    const style: Style = item.task && item.checked ? { colour: 'green' } : { dim: true };
    return indent(
      inner.length > 0 ? inner : [BLANK],
      [span(marker, style)],
      [span(' '.repeat(marker.length))],
    );
  });
}

function footnoteLines({ label, tokens }: Footnote, view: BlockView): Line[] {
  const mark = `[^${label}]: `;
  return indent(
    words(inlineLines(tokens, view.links), narrower(view, mark.length).width),
    [span(mark, { dim: true })],
    [span(' '.repeat(mark.length))],
  );
}

/** A terminal cannot fold a section, so it is indented below its title. */
const detailsLines = ({ summary, tokens }: Details, view: BlockView): Line[] => [
  ...words(inlineLines(summary, view.links, { bold: true }), view.width),
  ...indent(nested(tokens, narrower(view, 2)), [span('  ')]),
];

/** Returns the lines of blocks inside a block. @param apart with empty lines between them; a list item has none */
function nested(tokens: readonly Token[], view: BlockView, apart = true): Line[] {
  const solid = tokens.filter(token => !['space', 'def', 'checkbox'].includes(token.type));
  return solid.flatMap((token, index) => [
    ...(apart && index > 0 ? [BLANK] : []),
    ...tokenLines(token, view),
  ]);
}

const renderInline = (token: Token, view: BlockView): Line[] =>
  'tokens' in token && token.tokens
    ? inlineLines(token.tokens, view.links)
    : splitLines((token as Tokens.Text).text).map(each => line(each));

const words = (lines: readonly Line[], width: number): Line[] =>
  lines.flatMap(each => wrapWords(each, width));
/** Narrows the view, but keeps a few columns for deep nesting. */
const narrower = (view: BlockView, by: number): BlockView => ({
  ...view,
  width: Math.max(4, view.width - by),
});

const GAP = 3;
const NARROWEST = 5;

/** Renders tables: columns share the width and cells wrap. On narrow screens, rows become lists. */
function tableLines(table: Tokens.Table, view: { width: number; links: boolean }): Line[] {
  const cell = (given: Tokens.TableCell, style?: Style): Line =>
    inlineLines(given.tokens, view.links, style).flatMap((each, index) =>
      index > 0 ? [span(' '), ...each] : each,
    );
  const header = table.header.map(each => cell(each, { bold: true }));
  const rows = table.rows.map(row => row.map(each => cell(each)));
  const room = view.width - GAP * (header.length - 1);
  const wanted = header.map((each, column) =>
    Math.max(1, lineWidth(each), ...rows.map(row => lineWidth(row[column] ?? BLANK))),
  );
  const widths = share(wanted, room);
  if (widths === null) return asLists(header, rows, view.width);
  const linesOfRow = (cells: readonly Line[]): Line[] => rowLines(cells, widths, table.align);
  const rule = line(widths.map(each => '─'.repeat(each)).join('─┼─'), { dim: true });
  return [...linesOfRow(header), rule, ...rows.flatMap(linesOfRow)];
}

/** Divides the screen width, shrinking the widest columns first; null if they do not fit. */
function share(wanted: readonly number[], room: number): number[] | null {
  if (wanted.length * NARROWEST > room && wanted.reduce((a, b) => a + b, 0) > room) return null;
  let widest = Math.max(...wanted);
  const total = () => wanted.reduce((sum, each) => sum + Math.min(each, widest), 0);
  while (widest > 1 && total() > room) widest -= 1;
  return wanted.map(each => Math.min(each, widest));
}

function rowLines(
  cells: readonly Line[],
  widths: readonly number[],
  align: readonly ('left' | 'center' | 'right' | null)[],
): Line[] {
  const wrapped = widths.map((width, column) => wrapWords(cells[column] ?? BLANK, width));
  const height = Math.max(...wrapped.map(each => each.length));
  return Array.from({ length: height }, (_, row) =>
    widths.flatMap((width, column) => [
      ...(column > 0 ? [span(' │ ', { dim: true })] : []),
      ...pad(wrapped[column]?.[row] ?? BLANK, width, align[column] ?? 'left'),
    ]),
  );
}

function asLists(header: readonly Line[], rows: readonly (readonly Line[])[], width: number): Line[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [BLANK] : []),
    ...row.flatMap((each, column) => {
      const name = header[column] ?? BLANK;
      return wrapWords(lineText(name) === '' ? each : [...name, span(': '), ...each], width);
    }),
  ]);
}
