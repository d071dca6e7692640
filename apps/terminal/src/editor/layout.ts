/** Computes the rows of the input and the position of the cursor. */
import { graphemes, type Line, type Style, span, textWidth } from '../text/line.ts';
import { safe } from '../text/safe.ts';
import { chipLabel, type EditorState, findChip } from './state.ts';

interface EditorRow {
  readonly line: Line;
  /** Possible cursor positions in this row, with their columns. */
  readonly stops: readonly { at: number; column: number }[];
}
interface EditorLayout {
  readonly rows: readonly EditorRow[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** @param width columns; no row is wider, except by a character that is wider itself */
export function layout(state: EditorState, width: number): EditorLayout {
  const rows: { line: { text: string; style: Style }[]; stops: { at: number; column: number }[] }[] = [
    { line: [], stops: [] },
  ];
  let column = 0;
  let at = 0;
  const fresh = () => {
    rows.push({ line: [], stops: [] });
    column = 0;
  };
  for (const each of graphemes(state.text)) {
    const chip = findChip(state, each);
    const shown = chip === undefined ? safe(each) : chipLabel(chip);
    const cells = each === '\n' ? 0 : textWidth(shown);
    if (column > 0 && column + cells > width) fresh();
    const row = rows.at(-1)!;
    row.stops.push({ at, column });
    at += each.length;
    if (each === '\n') fresh();
    else {
      // A label can be wider than a narrow screen.
      const fitting = cells > width ? graphemes(shown).slice(0, Math.max(1, width)).join('') : shown;
      row.line.push({ text: fitting, style: chip === undefined ? PLAIN : CHIP });
      column += textWidth(fitting);
    }
  }
  if (column >= width) fresh();
  rows.at(-1)!.stops.push({ at, column });
  const row = rows.findIndex(each => each.stops.some(stop => stop.at === state.cursor));
  const stop = rows[row]?.stops.find(each => each.at === state.cursor);
  return {
    rows: rows.map(each => ({ line: joined(each.line), stops: each.stops })),
    cursor: { row: Math.max(0, row), column: stop?.column ?? 0 },
  };
}

/** Returns the position one row above or below the cursor, or null at the edge. */
export function vertical(state: EditorState, width: number, step: -1 | 1): number | null {
  const { rows, cursor } = layout(state, width);
  const stops = rows[cursor.row + step]?.stops;
  if (stops === undefined) return null;
  return (stops.findLast(stop => stop.column <= cursor.column) ?? stops[0])?.at ?? null;
}

const PLAIN: Style = {};
const CHIP: Style = { colour: 'cyan', inverse: true };

function joined(pieces: readonly { text: string; style: Style }[]): Line {
  const merged: { text: string; style: Style }[] = [];
  for (const { text, style } of pieces) {
    const last = merged.at(-1);
    if (last?.style === style && style === PLAIN) last.text += text;
    else merged.push({ text, style });
  }
  return merged.map(({ text, style }) => span(text, style));
}
