/** The list of chats, newest first. It is loaded in pages and updated by kernel events. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { Store } from '../base/store.ts';

interface ChatList {
  chats: readonly Chat[];
  /** The cursor of the next page. Null: there is no next page. Undefined: nothing was loaded yet. */
  before: string | null | undefined;
}

const PAGE = 60;

export class Chats {
  readonly list = new Store<ChatList>({ chats: [], before: undefined });
  readonly #client: KernelClient;
  #reads = 0;
  /** For each chat, the number of the newest read that was taken. */
  readonly #taken = new Map<string, number>();

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

  /** Inserts or replaces a chat. */
  take(chat: Chat): void {
    this.list.update(list => ({
      ...list,
      chats: [chat, ...list.chats.filter(({ id }) => id !== chat.id)].sort(newestFirst),
    }));
  }

  forget(id: string): void {
    this.list.update(list => ({ ...list, chats: list.chats.filter(chat => chat.id !== id) }));
  }

  /** Reloads a chat, because a turn changes its times and may set its title. */
  async readAgain(id: string): Promise<void> {
    const read = ++this.#reads;
    const chat = await this.#client.getChat(id);
    // An answer that was overtaken by a later one is out of date.
    if (read < (this.#taken.get(id) ?? 0)) return;
    this.#taken.set(id, read);
    this.take(chat);
  }

  markRunning(id: string, turn: Chat['turn']): void {
    this.list.update(list => ({
      ...list,
      chats: list.chats.map(chat => (chat.id === id ? { ...chat, turn } : chat)),
    }));
  }
}

const lastActivityTime = ({ last_message_at, created_at }: Chat): string => last_message_at ?? created_at;
const newestFirst = (a: Chat, b: Chat): number =>
  lastActivityTime(a) < lastActivityTime(b) ? 1 : lastActivityTime(a) > lastActivityTime(b) ? -1 : 0;
