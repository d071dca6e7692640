/** The chats that the page knows of, the newest first: pages of the list, kept true by the kernel's events. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { Store } from '../base/store.ts';

interface ChatList {
  chats: readonly Chat[];
  /** The cursor of the next page; null: there is none. Undefined: none was read. */
  before: string | null | undefined;
}

const PAGE = 60;

export class Chats {
  readonly list = new Store<ChatList>({ chats: [], before: undefined });
  readonly #client: KernelClient;

  constructor(client: KernelClient) {
    this.#client = client;
  }

  async readNewest(): Promise<void> {
    const { chats, next_before } = await this.#client.listChats({ limit: PAGE });
    this.list.set({ chats, before: chats.length < PAGE ? null : next_before });
  }

  async readMore(): Promise<void> {
    const { before } = this.list.get();
    if (!before) return;
    const page = await this.#client.listChats({ limit: PAGE, before });
    this.list.update(({ chats }) => {
      const known = new Set(chats.map(({ id }) => id));
      return {
        chats: [...chats, ...page.chats.filter(({ id }) => !known.has(id))],
        before: page.chats.length < PAGE ? null : page.next_before,
      };
    });
  }

  /** Puts in a chat as the kernel has it now. */
  take(chat: Chat): void {
    this.list.update(list => ({
      ...list,
      chats: [chat, ...list.chats.filter(({ id }) => id !== chat.id)].sort(newestFirst),
    }));
  }

  forget(id: string): void {
    this.list.update(list => ({ ...list, chats: list.chats.filter(chat => chat.id !== id) }));
  }

  /** A turn moves the times of its chat, and may give it a title. */
  async readAgain(id: string): Promise<void> {
    this.take(await this.#client.getChat(id));
  }

  markRunning(id: string, turn: Chat['turn']): void {
    this.list.update(list => ({
      ...list,
      chats: list.chats.map(chat => (chat.id === id ? { ...chat, turn } : chat)),
    }));
  }
}

const timeOf = ({ last_message_at, created_at }: Chat): string => last_message_at ?? created_at;
const newestFirst = (a: Chat, b: Chat): number =>
  timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0;
