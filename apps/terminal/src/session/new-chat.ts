/** Settings of the chat that the first message creates. */
import type { NewChatSettings, NewChatState, Slice } from '../state/app-state.ts';

export class NewChat {
  readonly #state: Slice<NewChatState>;

  constructor(state: Slice<NewChatState>) {
    this.#state = state;
  }

  set(change: NewChatSettings): void {
    this.#state.set({ newChat: { ...this.#state.get().newChat, ...change } });
  }

  /** Resets the effort to the kernel's default. */
  clearEffort(): void {
    const { effort: _, ...others } = this.#state.get().newChat;
    this.#state.set({ newChat: others });
  }

  /** @param workdir absolute path, also used for chats without a directory on this machine */
  setWorkdir(workdir: string): void {
    this.#state.set({ workdir });
  }
}
