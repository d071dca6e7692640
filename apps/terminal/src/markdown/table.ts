/** Renders tables: columns share the width and cells wrap. On narrow screens, rows become lists. */
import type { Tokens } from 'marked';
import { BLANK, type Line, line, lineText, lineWidth, type Style, span } from '../text/line.ts';
import { pad, wrapWords } from '../text/wrap.ts';
import { inlineLines } from './inline.ts';

const GAP = 3;
const NARROWEST = 5;

export function tableLines(table: Tokens.Table, view: { width: number; links: boolean }): Line[] {
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
