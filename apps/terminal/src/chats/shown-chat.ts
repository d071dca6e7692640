/** The chat on the screen, with its cost. */
import {
  type Chat,
  type ChatSnapshot,
  KernelApiError,
  type KernelClient,
  type Spend,
} from '@chat-kernel/client';
import { type AppStore, EMPTY_CHAT } from '../state/app-state.ts';

export type ShownChat = ReturnType<typeof showChats>;

export function showChats(client: KernelClient, store: AppStore, onError: (error: unknown) => void) {
  let isSpendWanted = false;
  let isSpendReading = false;

  /** Stores the chat's new settings, unless another chat is on the screen. */
  const update = (chat: Chat): void => {
    if (store.get().chat?.id === chat.id) store.set({ chat });
  };

  /** @param id of the chat that the spend belongs to; null without a chat */
  const takeSpend = (id: string | null, spend: Spend | null): void => {
    if ((store.get().chat?.id ?? null) === id) store.set({ spend });
  };

  return {
    update,
    takeSpend,

    /** @param samePage whether the chat continues the current page, because its first message created it */
    show(chat: Chat, snapshot: ChatSnapshot, samePage: boolean): void {
      const { page, turn } = store.get();
      const place = samePage ? { page, turn } : { page: page + 1, turn: null };
      store.set({ chat, snapshot, ...place, spend: null, usage: null });
    },

    /** Empties the screen. */
    clear(): void {
      const page = store.get().page + 1;
      store.set({ chat: null, snapshot: EMPTY_CHAT, page, spend: null, usage: null, turn: null });
    },

    /** Changes the chat by a call that returns it. */
    async change(call: (id: string) => Promise<Chat>): Promise<void> {
      const { chat } = store.get();
      if (chat !== null) update(await call(chat.id));
    },

    takeSnapshot(snapshot: ChatSnapshot): void {
      const { turn, busy } = snapshot;
      const { turn: seen } = store.get();
      const id = turn?.turn_id ?? null;
      // A turn may be shown before its id is known.
      const continues = seen !== null && (seen.id === null || seen.id === id);
      const first = Date.parse(turn?.items[0]?.created_at ?? '') || Number.POSITIVE_INFINITY;
      const began = Math.min(Date.now(), first);
      const started_at = continues ? Math.min(seen.started_at, began) : began;
      store.set({ snapshot, turn: busy ? { id, started_at } : null });
    },

    /** Loads the cost, once at a time, and again if that was requested until then, because the result may be outdated. */
    async readSpend(): Promise<void> {
      isSpendWanted = true;
      if (isSpendReading) return;
      isSpendReading = true;
      try {
        while (isSpendWanted) {
          isSpendWanted = false;
          const { chat } = store.get();
          takeSpend(chat?.id ?? null, chat && (await client.getSpend(chat.id)));
        }
      } catch (error) {
        // The status line shows the lost connection, and the next turn loads again.
        if (error instanceof KernelApiError) onError(error);
      } finally {
        isSpendReading = false;
      }
    },
  };
}
