/** Divides the rows of the screen. Ink redraws the part below the scrollback, which must never fill the screen. */
import type { PlanTask } from '@chat-kernel/protocol';
import { type CompletionChoice, menuLines } from '../editor/completion.ts';
import { layout } from '../editor/layout.ts';
import type { EditorState } from '../editor/state.ts';
import { planLines } from '../items/plan.ts';
import { activityLines, type Status, statusLine } from '../status/status-line.ts';
import { type Line, line, span } from '../text/line.ts';
import { indent, tail } from '../text/wrap.ts';

interface ScreenSize {
  columns: number;
  rows: number;
}
export interface CompletionMenu {
  choices: readonly CompletionChoice[];
  selected: number;
}
interface ScreenFrame {
  /** The unfinished items, the plan, the activity. */
  above: Line[];
  /** Rows for an open dialog. */
  dialog: number;
  /** The input and its menu; empty while a dialog is open. */
  input: Line[];
  status: Line[];
  /** Cursor position relative to the first row of `above`; null without an input. */
  cursor: { x: number; y: number } | null;
}

/** Preferred rows of a dialog, at the cost of unfinished items. */
const DIALOG_ROWS = 14;
const PROMPT = '› ';
export const inputWidth = (columns: number): number => Math.max(1, columns - PROMPT.length - 1);

/** @param live unprinted lines; the last ones that fit are shown */
export function compose(
  live: readonly Line[],
  given: {
    plan: readonly PlanTask[];
    status: Status;
    editor: EditorState;
    menu: CompletionMenu | null;
    placeholder: string;
    dialog: boolean;
  },
  { columns, rows }: ScreenSize,
  now: number,
): ScreenFrame {
  // Keep one row free: a frame as high as the screen would scroll it.
  const total = Math.max(3, rows - 1);
  const status = [statusLine(given.status, columns)];
  const activity =
    total < 8 ? [] : activityLines(given.status, columns, now, !given.dialog && given.menu === null);
  const plan = total < 12 ? [] : planLines(given.plan, columns, Math.min(10, total >> 2));
  const room = total - status.length - activity.length;
  if (given.dialog) {
    const dialog = Math.min(room, Math.max(DIALOG_ROWS, room - Math.min(live.length, 6)));
    const above = [...tail(live, room - dialog), ...activity];
    return { above, dialog, input: [], status, cursor: null };
  }
  const menu = given.menu === null ? [] : menuLines(given.menu.choices, given.menu.selected, columns, 6);
  const input = inputLines(given.editor, columns, Math.max(1, Math.floor(total / 3)), given.placeholder);
  const used = input.lines.length + Math.min(menu.length, Math.max(0, room - input.lines.length - 1));
  const below = [...input.lines, ...menu].slice(0, used);
  const left = Math.max(0, room - below.length - plan.length);
  const shown = tail(live, left);
  const above = [...shown, ...plan.slice(0, room - below.length), ...activity];
  return { above, dialog: 0, input: below, status, cursor: { x: input.x, y: above.length + input.y } };
}

/** Returns a rule and the rows around the cursor. */
function inputLines(editor: EditorState, columns: number, rows: number, placeholder: string) {
  const { rows: all, cursor } = layout(editor, inputWidth(columns));
  const from = Math.max(0, Math.min(cursor.row - rows + 1, all.length - rows));
  const shown = all.slice(from, from + rows).map(row => row.line);
  const text = editor.text === '' ? [line(placeholder.slice(0, inputWidth(columns)), { dim: true })] : shown;
  const rule = line('─'.repeat(columns), { dim: true });
  const prompt = [span(from > 0 ? '↑ ' : PROMPT, { colour: 'cyan' as const })];
  return {
    lines: [rule, ...indent(text, prompt, [span('  ')])],
    x: PROMPT.length + cursor.column,
    y: 1 + cursor.row - from,
  };
}
