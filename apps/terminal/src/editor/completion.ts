/** What can be completed at the cursor: a /command at the start, an @file anywhere. */
import { type Line, span } from '../text/line.ts';
import { fit, pad } from '../text/wrap.ts';
import { replaceRange } from './change.ts';
import type { EditorState } from './state.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What follows it, as `<model>`; absent: nothing, and choosing it sends it. */
  readonly takes?: string;
}
export interface Choice {
  readonly label: string;
  readonly description: string;
  /** What stands in the text instead of what was typed. */
  readonly insert: string;
  readonly sends: boolean;
}
/** What is being completed, and where in the text it stands. */
export interface Completing {
  readonly kind: 'command' | 'file';
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

export function completingAt({ text, cursor }: Pick<EditorState, 'text' | 'cursor'>): Completing | null {
  const typed = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(typed);
  if (command) return { kind: 'command', query: command[1]!, from: 0, to: cursor };
  const file = /(?:^|\s)@(\S*)$/.exec(typed);
  if (file) return { kind: 'file', query: file[1]!, from: cursor - file[1]!.length - 1, to: cursor };
  return null;
}

/** Commands that begin with the query, then those that hold it. */
export function commandChoices(commands: readonly Command[], query: string): Choice[] {
  const wanted = query.toLowerCase();
  const found = commands.filter(({ name }) => name.toLowerCase().includes(wanted));
  const begins = ({ name }: Command): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found
    .toSorted((a, b) => begins(a) - begins(b))
    .map(({ name, description, takes }) => ({
      label: takes === undefined ? `/${name}` : `/${name} ${takes}`,
      description,
      insert: takes === undefined ? `/${name}` : `/${name} `,
      sends: takes === undefined,
    }));
}

/** A directory keeps the menu open: what it holds is asked for next. */
export const fileChoices = (paths: readonly string[]): Choice[] =>
  paths.map(path => ({
    label: path,
    description: '',
    insert: path.endsWith('/') ? `@${path}` : `@${path} `,
    sends: false,
  }));

export const accept = (state: EditorState, completing: Completing, choice: Choice): EditorState =>
  replaceRange(state, completing.from, completing.to, choice.insert);

/** At most `rows` choices around the one that is selected. */
export function menuLines(choices: readonly Choice[], selected: number, width: number, rows: number): Line[] {
  const from = Math.max(0, Math.min(selected - (rows >> 1), choices.length - rows));
  const shown = choices.slice(from, from + rows);
  const label = Math.min(32, Math.max(0, ...shown.map(each => each.label.length)) + 2);
  return shown.map((each, index) => {
    const chosen = from + index === selected;
    const name = pad([span(each.label, chosen ? { bold: true, colour: 'cyan' } : {})], label);
    return fit(
      [span(chosen ? '› ' : '  ', { colour: 'cyan' }), ...name, span(each.description, { dim: true })],
      width,
    );
  });
}
