/** Completes a /command at the start of the text, and an @file or @chat anywhere. */
import { type Line, span } from '../text/line.ts';
import { safe } from '../text/safe.ts';
import { fit, pad } from '../text/wrap.ts';
import { attach, replaceRange, type as typed } from './change.ts';
import type { Chip, EditorState } from './state.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** The argument, such as `<model>`. If absent, choosing the command runs it. */
  readonly takes?: string;
}
export interface CompletionChoice {
  readonly label: string;
  readonly description: string;
  /** The text that replaces what was typed. */
  readonly insert: string;
  readonly sends: boolean;
  /** Inserted after that text. */
  readonly chip?: Chip;
}
export interface NamedChat {
  readonly id: string;
  readonly title: string;
}
/** The part of the text that is being completed. */
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
  const file = /(?:^|\s)@("[^"]*|[^\s"]*)$/.exec(typed);
  if (file === null) return null;
  const [, query = ''] = file;
  return { kind: 'file', query: query.replace(/^"/, ''), from: cursor - query.length - 1, to: cursor };
}

/** Returns the commands that begin with the query, then those that contain it. */
export function commandChoices(commands: readonly Command[], query: string): CompletionChoice[] {
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

/** No space follows a directory and its quote stays open, so that the menu continues with its files. */
export const fileChoices = (paths: readonly string[]): CompletionChoice[] =>
  paths.map(path => {
    const quote = /\s/.test(path) ? '"' : '';
    const insert = path.endsWith('/') ? `@${quote}${path}` : `@${quote}${path}${quote} `;
    return { label: path, description: '', insert, sends: false };
  });

/** The message contains the title of the chat, and the id with which the model can read it. */
export const chatChoices = (chats: readonly NamedChat[]): CompletionChoice[] =>
  chats.map(({ id, title }) => ({
    label: safe(title),
    description: 'chat for the model to read',
    insert: '',
    sends: false,
    chip: { kind: 'text', text: `[chat ${JSON.stringify(title)}, chat_id ${id}]`, label: `chat ${title}` },
  }));

export function accept(state: EditorState, completing: Completing, choice: CompletionChoice): EditorState {
  const inserted = replaceRange(state, completing.from, completing.to, choice.insert);
  return choice.chip === undefined ? inserted : typed(attach(inserted, choice.chip), ' ');
}

/** Returns at most `rows` choices around the selected one. */
export function menuLines(
  choices: readonly CompletionChoice[],
  selected: number,
  width: number,
  rows: number,
): Line[] {
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
