/** Loads the cost of the chat on the screen after each provider request. */
import { KernelApiError, type KernelClient } from '@chat-kernel/client';
import type { ShownChat } from '../chats/shown-chat.ts';
import type { AppState } from '../state/app-state.ts';

export class SpendReader {
  readonly #client: KernelClient;
  readonly #state: () => AppState;
  readonly #shownChat: ShownChat;
  readonly #onError: (error: unknown) => void;
  #asked = false;
  #reading = false;

  constructor(
    client: KernelClient,
    state: () => AppState,
    shownChat: ShownChat,
    onError: (error: unknown) => void,
  ) {
    this.#client = client;
    this.#state = state;
    this.#shownChat = shownChat;
    this.#onError = onError;
  }

  /** Runs one call at a time, and another one if it was requested until then, because the result may be outdated. */
  async read(): Promise<void> {
    this.#asked = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#asked) {
        this.#asked = false;
        const { chat } = this.#state();
        const spend = chat && (await this.#client.getSpend(chat.id));
        this.#shownChat.takeSpend(chat?.id ?? null, spend);
      }
    } catch (error) {
      // The status line shows the lost connection, and the next turn loads again.
      if (error instanceof KernelApiError) this.#onError(error);
    } finally {
      this.#reading = false;
    }
  }
}
