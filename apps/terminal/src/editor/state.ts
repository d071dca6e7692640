/** The input as data: a text with a cursor, what was killed, what can be undone, what was said before. */
import { safe } from '../text/safe.ts';

/** Something in the text that is shown as one character and sent as something else. */
export type Chip =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly name: string; readonly media_type: string; readonly data: string }
  | { readonly kind: 'file'; readonly name: string; readonly path: string };

export interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}
export interface EditorState extends Snapshot {
  /** `cursor` counts UTF-16 units and always stands between two graphemes. */
  readonly chips: readonly Chip[];
  readonly killed: string;
  readonly undo: readonly Snapshot[];
  /** The last change was typing: the next letter belongs to the same step of undo. */
  readonly typing: boolean;
  /** What was sent before, the oldest first; `at` is where in it one is, null outside of it. */
  readonly history: readonly string[];
  readonly at: number | null;
  /** What stood in the input when one went into the history. */
  readonly draft: string;
}

/** @param history what was sent before, the oldest first */
export const createEditor = (history: readonly string[] = []): EditorState => ({
  text: '',
  cursor: 0,
  chips: [],
  killed: '',
  undo: [],
  typing: false,
  history: history.map(cleaned),
  at: null,
  draft: '',
});

/** Chips stand in the text as private characters, which nobody can type: `cleaned` takes them out. */
const FIRST_CHIP = 0xf0000;
const CHIP = /[\u{f0000}-\u{ffffd}]/gu;
const MAX_CHIPS = 0xfffd;

/** The character that stands for the chip that would be added next. */
export const nextChip = (state: EditorState): string =>
  String.fromCodePoint(FIRST_CHIP + Math.min(state.chips.length, MAX_CHIPS));
export const chipOf = (state: EditorState, character: string): Chip | undefined =>
  state.chips[(character.codePointAt(0) ?? 0) - FIRST_CHIP];

/** Text that may stand in the input: line breaks are \n, and there are no controls besides them and tabs. */
export const cleaned = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .toWellFormed()
    .replace(/(?![\t\n])\p{Cc}|[\u{f0000}-\u{ffffd}]/gu, '');

/** What a chip looks like in the input. */
export function chipLabel(chip: Chip): string {
  if (chip.kind === 'image') return `[image ${safe(chip.name)}]`;
  if (chip.kind === 'file') return `[file ${safe(chip.name)}]`;
  const lines = chip.text.split('\n').length;
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${chip.text.length} characters]`;
}

export interface Submission {
  /** What the message says, pastes in full. */
  text: string;
  /** Images and files, in their order. */
  attachments: Exclude<Chip, { kind: 'text' }>[];
}

/** What the input holds, as it is sent. */
export function submission(state: EditorState): Submission {
  const attachments: Submission['attachments'] = [];
  const text = state.text.replace(CHIP, character => {
    const chip = chipOf(state, character);
    if (chip === undefined) return '';
    if (chip.kind === 'text') return chip.text;
    attachments.push(chip);
    return '';
  });
  return { text: text.trim(), attachments };
}

/** An empty input that remembers what was sent. */
export function submitted(state: EditorState): EditorState {
  const { text } = submission(state);
  const history = text === '' || state.history.at(-1) === text ? state.history : [...state.history, text];
  return { ...createEditor(history), killed: cleaned(state.killed) };
}
