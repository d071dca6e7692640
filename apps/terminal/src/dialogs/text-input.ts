/** A text field in a dialog: the answer to a question, or feedback with a denial. */
import { layout } from '../editor/layout.ts';
import { paste } from '../editor/paste.ts';
import type { Press } from '../editor/press.ts';
import { reduceEditor } from '../editor/reduce-editor.ts';
import { type EditorState, submission } from '../editor/state.ts';
import { type Line, span } from '../text/line.ts';
import { indent, tail } from '../text/wrap.ts';

interface WordsStep {
  /** Null if Esc closed the field. */
  readonly words: EditorState | null;
  /** The submitted text; never empty. */
  readonly sent: string | null;
}

export function reduceTextInput(editor: EditorState, press: Press): WordsStep {
  const { state, action } = reduceEditor(editor, press, WORDS_WIDTH);
  if (action === 'escape') return { words: null, sent: null };
  // In the message input, `?` opens the help. Here it is text.
  if (action === 'help') return { words: pasteTextInput(editor, press.text), sent: null };
  const { text } = submission(state);
  return { words: state, sent: action === 'submit' && text !== '' ? text : null };
}

export const pasteTextInput = (editor: EditorState, text: string): EditorState => paste(editor, text).state;

/** Renders the last rows that fit. */
export function renderTextInput(editor: EditorState, width: number, rows: number): Line[] {
  const all = layout(editor, width - 3).rows.map(each => [...each.line, span(' ')]);
  return indent(tail(all, Math.max(1, rows)), [span('› ', { colour: 'cyan' })]);
}

/** The width for moves up and down: an approximation, because the real one is not known here. */
const WORDS_WIDTH = 60;
