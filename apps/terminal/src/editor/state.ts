/** The input as data: a text with a cursor, the killed text, undo steps, and the history of what was sent. */
import { safe } from '../text/safe.ts';

/** An attachment or a long paste: one character of the text, shown by a label, sent as what it is. */
export type Chip =
  | { readonly kind: 'text'; readonly text: string; readonly label?: string }
  | { readonly kind: 'image'; readonly name: string; readonly media_type: string; readonly data: string }
  | { readonly kind: 'file'; readonly name: string; readonly path: string };

interface EditorSnapshot {
  readonly text: string;
  /** In UTF-16 units, always between two graphemes. */
  readonly cursor: number;
}

export interface EditorState extends EditorSnapshot {
  readonly chips: readonly Chip[];
  readonly killed: string;
  readonly undo: readonly EditorSnapshot[];
  /** The last change was typing: the next letter joins its undo step. */
  readonly typing: boolean;
  /** Texts that were sent before, the oldest first. */
  readonly history: readonly string[];
  /** The index in the history of the text that was recalled; null: the input has a text of its own. */
  readonly recalled: number | null;
  /** The text of the input from before the history was entered. */
  readonly draft: string;
}

/** @param history texts that were sent before, the oldest first */
export const createEditor = (history: readonly string[] = []): EditorState => ({
  text: '',
  cursor: 0,
  chips: [],
  killed: '',
  undo: [],
  typing: false,
  history: history.map(cleaned),
  recalled: null,
  draft: '',
});

/** Chips are private characters in the text. They cannot be typed or pasted, for `cleaned` removes them. */
const FIRST_CHIP = 0xf0000;
const CHIP = /[\u{f0000}-\u{ffffd}]/gu;
const MAX_CHIPS = 0xfffd;

/** Returns the character for the chip that is added next. */
export const nextChip = (state: EditorState): string =>
  String.fromCodePoint(FIRST_CHIP + Math.min(state.chips.length, MAX_CHIPS));
export const chipOf = (state: EditorState, character: string): Chip | undefined =>
  state.chips[(character.codePointAt(0) ?? 0) - FIRST_CHIP];

/** Cleans a text for the input: line breaks are \n, and the only other controls are tabs. */
export const cleaned = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .toWellFormed()
    .replace(/(?![\t\n])\p{Cc}|[\u{f0000}-\u{ffffd}]/gu, '');

/** Returns the label of a chip in the input. */
export function chipLabel(chip: Chip): string {
  switch (chip.kind) {
    case 'image':
      return `[image ${safe(chip.name)}]`;
    case 'file':
      return `[file ${safe(chip.name)}]`;
    case 'text': {
      if (chip.label !== undefined) return `[${safe(chip.label)}]`;
      const lines = chip.text.split('\n').length;
      return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${chip.text.length} characters]`;
    }
  }
}

export interface Submission {
  /** The text of the message, with pastes in full. */
  text: string;
  /** Images and files, in their order. */
  attachments: Exclude<Chip, { kind: 'text' }>[];
}

/** Returns the content of the input as it is sent. */
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

/** Empties the input, and adds its text to the history. */
export function submitted(state: EditorState): EditorState {
  const { text } = submission(state);
  const history = text === '' || state.history.at(-1) === text ? state.history : [...state.history, text];
  return { ...createEditor(history), killed: cleaned(state.killed) };
}
