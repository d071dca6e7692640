/** Words that the owner types into a dialog: an answer to a question, or what is said with a no. */
import { layout } from '../editor/layout.ts';
import { paste } from '../editor/paste.ts';
import type { Press } from '../editor/press.ts';
import { type EditorState, submission } from '../editor/state.ts';
import { stepEditor } from '../editor/step.ts';
import { type Line, span } from '../text/line.ts';
import { indent, tail } from '../text/wrap.ts';

interface WordsStep {
  /** Null: Esc has left them. */
  readonly words: EditorState | null;
  /** What was sent, which is never empty. */
  readonly sent: string | null;
}

export function stepWords(words: EditorState, press: Press): WordsStep {
  const { state, action } = stepEditor(words, press, WORDS_WIDTH);
  if (action === 'escape') return { words: null, sent: null };
  // A question mark in an empty input opens a help that no dialog has.
  if (action === 'help') return { words: pasteWords(words, press.text), sent: null };
  const { text } = submission(state);
  return { words: state, sent: action === 'submit' && text !== '' ? text : null };
}

export const pasteWords = (words: EditorState, text: string): EditorState => paste(words, text).state;

/** Returns at most as many rows as there is room for, the last ones. */
export function wordsLines(words: EditorState, width: number, rows: number): Line[] {
  const all = layout(words, width - 3).rows.map(each => [...each.line, span(' ')]);
  return indent(tail(all, Math.max(1, rows)), [span('› ', { colour: 'cyan' })]);
}

/** The width by which up and down move: the real one is not known here, and near enough. */
const WORDS_WIDTH = 60;
