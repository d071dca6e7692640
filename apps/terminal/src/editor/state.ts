/** State of the input: text, cursor, cut text, undo steps, and sent texts. */
import { safe } from '../text/safe.ts';

/** An attachment or a long paste: one character of the text, shown as a label and sent in full. */
export type Chip =
  | { readonly kind: 'text'; readonly text: string; readonly label?: string }
  | { readonly kind: 'image'; readonly name: string; readonly media_type: string; readonly data: string }
  | { readonly kind: 'file'; readonly name: string; readonly path: string };

interface EditorSnapshot {
  readonly text: string;
  /** Offset in UTF-16 units, always between two graphemes. */
  readonly cursor: number;
}

export interface EditorState extends EditorSnapshot {
  readonly chips: readonly Chip[];
  readonly killed: string;
  readonly undo: readonly EditorSnapshot[];
  /** Whether the last change was typing, so that the next letter joins its undo step. */
  readonly typing: boolean;
  /** Sent texts, oldest first. */
  readonly history: readonly string[];
  /** Index of the recalled text in the history; null if the text is not from the history. */
  readonly recalled: number | null;
  /** The draft from before the history was entered. */
  readonly draft: string;
}

/** @param history sent texts, oldest first */
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

/** Chips are private-use characters in the text. `cleaned` removes them from typed and pasted text. */
const FIRST_CHIP = 0xf0000;
const CHIP = /[\u{f0000}-\u{ffffd}]/gu;
const MAX_CHIPS = 0xfffd;

/** Returns the character for the next chip. */
export const nextChip = (state: EditorState): string =>
  String.fromCodePoint(FIRST_CHIP + Math.min(state.chips.length, MAX_CHIPS));
export const findChip = (state: EditorState, character: string): Chip | undefined =>
  state.chips[(character.codePointAt(0) ?? 0) - FIRST_CHIP];

/** Normalizes line breaks to \n and removes control characters except tabs. */
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
  /** Text of the message, with pastes in full. */
  text: string;
  /** Images and files, in order. */
  attachments: Exclude<Chip, { kind: 'text' }>[];
}

/** Returns the content of the input to send. */
export function submission(state: EditorState): Submission {
  const attachments: Submission['attachments'] = [];
  const text = state.text.replace(CHIP, character => {
    const chip = findChip(state, character);
    if (chip === undefined) return '';
    if (chip.kind === 'text') return chip.text;
    attachments.push(chip);
    return '';
  });
  return { text: text.trim(), attachments };
}

/** Clears the input and adds its text to the history. */
export function submitted(state: EditorState): EditorState {
  const { text } = submission(state);
  const history = text === '' || state.history.at(-1) === text ? state.history : [...state.history, text];
  return { ...createEditor(history), killed: cleaned(state.killed) };
}
