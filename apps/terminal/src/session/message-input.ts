/** The message input and its history. */

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
import { edited } from '../machine/user-editor.ts';
import type { AppStore } from '../state/app-state.ts';
import type { Notices } from './notices.ts';

export class MessageInput {
  readonly #state: AppStore;
  readonly #history: InputHistory;
  readonly #notices: Notices;
  /** The text before the input was cleared, with leading spaces. */
  #typed = '';

  constructor(state: AppStore, history: InputHistory, notices: Notices) {
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

  /** Replaces the text. */
  replace(text: string): void {
    this.edit(state => replaceRange(state, 0, state.text.length, text));
  }

  /** Opens the text in the user's editor. Attachments move to the end. @throws Error if it cannot be started */
  readonly editOutside = async (): Promise<void> => {
    const { text, attachments } = submission(this.#state.get().editor);
    const fresh = cleaned(await edited(text, process.env));
    this.edit(state => attachments.reduce(attach, replaceRange(state, 0, state.text.length, fresh)));
  };

  /** Restores an unsent submission. */
  restore(sent: Submission): void {
    this.edit(state => restored(state, sent));
  }

  /** Adds a submission to the history, unless it starts with a space, as in a shell. */
  remember({ text }: Submission): void {
    if (!this.#typed.startsWith(' ')) void this.#notices.attempt(() => this.#history.add(text));
  }

  /** Adds the unsent text to the history, so that ↑ restores it. */
  keep(): void {
    const { editor } = this.#state.get();
    if (editor.text.startsWith(' ')) return;
    void this.#notices.attempt(() => this.#history.add(submission(editor).text));
  }

  /** Clears the input. */
  discard(): void {
    this.keep();
    this.edit(submitted);
  }
}
