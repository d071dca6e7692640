/** The input: its text, and the history of what was typed. */

import { restored } from '../chats/message.ts';
import { attach, replaceRange } from '../editor/change.ts';
import {
  cleaned,
  createEditor,
  type EditorState,
  type Submission,
  submission,
  submitted,
} from '../editor/state.ts';
import type { InputHistory } from '../machine/input-history.ts';
import { edited } from '../machine/own-editor.ts';
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

  /** Puts a text in the place of what is there. */
  replace(text: string): void {
    this.edit(state => replaceRange(state, 0, state.text.length, text));
  }

  /** Lets the owner's editor change the text; attachments come to its end. @throws Error where it cannot be started */
  readonly editOutside = async (): Promise<void> => {
    const { text, attachments } = submission(this.#state.get().editor);
    const fresh = cleaned(await edited(text, process.env));
    this.edit(state => attachments.reduce(attach, replaceRange(state, 0, state.text.length, fresh)));
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
