/**
 * Reads and changes notebooks. Changes of one chat run one after the other, so each starts with the newest text (BT-8,
 * CHAT-8).
 */
import type { ChatRecord, ChatRef, Clock, Store } from '@chat-kernel/kernel';
import { isId, KeyedQueue, timestamp } from '@chat-kernel/kernel';
import type { Notebook } from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';

export class Notebooks {
  readonly #store: Pick<Store, 'chats'>;
  readonly #clock: Clock;
  readonly #inTurn = new KeyedQueue();

  constructor(store: Pick<Store, 'chats'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @throws KernelError not_found */
  async read(chatId: string): Promise<Notebook> {
    return shown(await this.#chat(chatId));
  }

  /** @throws KernelError not_found */
  async write(chatId: string, text: string): Promise<Notebook> {
    return shown(await this.change(chatId, () => text));
  }

  /**
   * Changes the text; returns the chat after the change. If `change` throws, nothing changes.
   * @throws KernelError not_found; the errors of `change`
   */
  change(chatId: string, change: (text: string) => string, chat: ChatRef = chatId): Promise<ChatRecord> {
    return this.#inTurn.run(chatId, async () => {
      const { notebook } = await this.#chat(chatId);
      const changes = { notebook: change(notebook), notebook_at: timestamp(this.#clock) };
      const changed = await this.#store.chats.update(chat, changes);
      if (changed === undefined) throw noNotebook(chatId);
      return changed;
    });
  }

  async #chat(id: string): Promise<ChatRecord> {
    const chat = isId(id) ? await this.#store.chats.get(id) : undefined;
    if (chat === undefined) throw noNotebook(id);
    return chat;
  }
}

const shown = ({ notebook, notebook_at }: ChatRecord): Notebook => ({
  text: notebook,
  updated_at: notebook_at,
});

const noNotebook = (id: string): KernelError => new KernelError('not_found', `There is no chat ${id}.`);
