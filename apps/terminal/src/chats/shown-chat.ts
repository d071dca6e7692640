/** The chat on the screen, with its cost. */
import {
  type Chat,
  type ChatSnapshot,
  KernelApiError,
  type KernelClient,
  type Spend,
} from '@chat-kernel/client';
import { type AppStore, EMPTY_CHAT } from '../state/app-state.ts';

export class ShownChat {
  readonly #client: KernelClient;
  readonly #state: AppStore;
  readonly #onError: (error: unknown) => void;
  #spendWanted = false;
  #spendReading = false;

  constructor(client: KernelClient, state: AppStore, onError: (error: unknown) => void) {
    this.#client = client;
    this.#state = state;
    this.#onError = onError;
  }

  /** @param samePage whether the chat continues the current page, because its first message created it */
  show(chat: Chat, snapshot: ChatSnapshot, samePage: boolean): void {
    const { page, turn } = this.#state.get();
    this.#state.set({
      chat,
      snapshot,
      page: samePage ? page : page + 1,
      turn: samePage ? turn : null,
      spend: null,
      usage: null,
    });
  }

  /** Empties the screen. */
  clear(): void {
    const { page } = this.#state.get();
    this.#state.set({
      chat: null,
      snapshot: EMPTY_CHAT,
      page: page + 1,
      spend: null,
      usage: null,
      turn: null,
    });
  }

  /** Starts a new page, for items above those already printed. */
  newPage(): void {
    this.#state.set({ page: this.#state.get().page + 1 });
  }

  /** Stores the chat's new settings, unless another chat is on the screen. */
  update(chat: Chat): void {
    if (this.#state.get().chat?.id === chat.id) this.#state.set({ chat });
  }

  /** Changes the chat by a call that returns it. */
  async change(call: (id: string) => Promise<Chat>): Promise<void> {
    const { chat } = this.#state.get();
    if (chat !== null) this.update(await call(chat.id));
  }

  takeSnapshot(snapshot: ChatSnapshot): void {
    const { turn, busy } = snapshot;
    const { turn: seen } = this.#state.get();
    const id = turn?.turn_id ?? null;
    // A turn may be shown before its id is known.
    const continues = seen !== null && (seen.id === null || seen.id === id);
    const began = Math.min(
      Date.now(),
      Date.parse(turn?.items[0]?.created_at ?? '') || Number.POSITIVE_INFINITY,
    );
    const started_at = continues ? Math.min(seen.started_at, began) : began;
    this.#state.set({ snapshot, turn: busy ? { id, started_at } : null });
  }

  /** Loads the cost, once at a time, and again if that was requested until then, because the result may be outdated. */
  async readSpend(): Promise<void> {
    this.#spendWanted = true;
    if (this.#spendReading) return;
    this.#spendReading = true;
    try {
      while (this.#spendWanted) {
        this.#spendWanted = false;
        const { chat } = this.#state.get();
        const spend = chat && (await this.#client.getSpend(chat.id));
        this.takeSpend(chat?.id ?? null, spend);
      }
    } catch (error) {
      // The status line shows the lost connection, and the next turn loads again.
      if (error instanceof KernelApiError) this.#onError(error);
    } finally {
      this.#spendReading = false;
    }
  }

  /** @param id of the chat that the spend belongs to; null without a chat */
  takeSpend(id: string | null, spend: Spend | null): void {
    if ((this.#state.get().chat?.id ?? null) === id) this.#state.set({ spend });
  }
}
