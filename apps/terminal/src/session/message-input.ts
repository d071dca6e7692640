/** The input: its text, and the history of what was typed. */

import { restored } from '../chats/message.ts';
import { createEditor, type EditorState, type Submission, submission, submitted } from '../editor/state.ts';
import type { InputHistory } from '../machine/input-history.ts';
import type { InputState, Slice } from '../state/app-state.ts';
import type { Notices } from './notices.ts';

export class MessageInput {
  readonly #state: Slice<InputState>;
  readonly #history: InputHistory;
  readonly #notices: Notices;
  /** The text before the input was emptied, with the blanks at its beginning. */
  #typed = '';

  constructor(state: Slice<InputState>, history: InputHistory, notices: Notices) {
    this.#state = state;
    this.#history = history;
    this.#notices = notices;
    void notices.attempt(() => state.set({ editor: createEditor(history.load()) }));
  }

  readonly edit = (change: (state: EditorState) => EditorState): void => {
    const { editor } = this.#state.get();
    const next = change(editor);
    if (next === editor) return;
    if (next.text === '') this.#typed = editor.text;
    this.#state.set({ editor: next });
    this.#notices.clearInfo();
  };

  /** Puts back what was not sent. */
  restore(sent: Submission): void {
    this.edit(state => restored(state, sent));
  }

  /** Adds what was just submitted to the history; as in a shell, a text that begins with a space is left out. */
  remember({ text }: Submission): void {
    if (!this.#typed.startsWith(' ')) void this.#notices.attempt(() => this.#history.add(text));
  }

  /** Adds the text that was typed and not sent to the history, from where ↑ brings it back. */
  keep(): void {
    const { editor } = this.#state.get();
    if (editor.text.startsWith(' ')) return;
    void this.#notices.attempt(() => this.#history.add(submission(editor).text));
  }

  /** Empties the input. */
  discard(): void {
    this.keep();
    this.edit(submitted);
  }
}
