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

export type MessageInput = ReturnType<typeof messageInput>;

export function messageInput(store: AppStore, history: InputHistory, notices: Notices) {
  /** The text before the input was cleared, with leading spaces. */
  let typed = '';
  void notices.attempt(() => store.set({ editor: createEditor(history.load()) }));

  const edit = (change: (state: EditorState) => EditorState): void => {
    const { editor } = store.get();
    const next = change(editor);
    if (next === editor) return;
    if (next.text === '') typed = editor.text;
    store.set({ editor: next });
    notices.clearInfo();
  };

  /** Adds the unsent text to the history, so that ↑ restores it. */
  const keep = (): void => {
    const { editor } = store.get();
    if (!editor.text.startsWith(' ')) void notices.attempt(() => history.add(submission(editor).text));
  };

  return {
    edit,
    keep,

    /** Replaces the text. */
    replace: (text: string): void => edit(state => replaceRange(state, 0, state.text.length, text)),

    /** Opens the text in the user's editor. Attachments move to the end. @throws Error if it cannot be started */
    async editOutside(): Promise<void> {
      const { text, attachments } = submission(store.get().editor);
      const fresh = cleaned(await edited(text, process.env));
      edit(state => attachments.reduce(attach, replaceRange(state, 0, state.text.length, fresh)));
    },

    /** Restores an unsent submission. */
    restore: (sent: Submission): void => edit(state => restored(state, sent)),

    /** Adds a submission to the history, unless it starts with a space, as in a shell. */
    remember({ text }: Submission): void {
      if (!typed.startsWith(' ')) void notices.attempt(() => history.add(text));
    },

    /** Clears the input. */
    discard(): void {
      keep();
      edit(submitted);
    },
  };
}
