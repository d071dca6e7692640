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
  /** Counts requests and events. */
  #count = 0;
  /** For each chat, the number of the event, or of the request whose answer was taken last. */
  readonly #taken = new Map<string, number>();

  constructor(client: KernelClient) {
    this.#client = client;
  }

  async readNewest(): Promise<void> {
    const asked = ++this.#count;
    const { chats, next_before } = await this.#client.listChats({ limit: PAGE });
    const newer = this.list.get().chats.filter(({ id }) => !this.#isNewest(id, asked));
    this.list.set({
      chats: [...newer, ...chats.filter(({ id }) => this.#isNewest(id, asked))].sort(newestFirst),
      before: chats.length < PAGE ? null : next_before,
    });
  }

  async readMore(): Promise<void> {
    const { before } = this.list.get();
    if (!before) return;
    const asked = ++this.#count;
    const page = await this.#client.listChats({ limit: PAGE, before });
    this.list.update(({ chats }) => {
      const known = new Set(chats.map(({ id }) => id));
      return {
        chats: [...chats, ...page.chats.filter(({ id }) => !known.has(id) && this.#isNewest(id, asked))],
        before: page.chats.length < PAGE ? null : page.next_before,
      };
    });
  }

  /** Inserts or replaces a chat, as an event reports it or as the user has just changed it. */
  take(chat: Chat): void {
    this.#taken.set(chat.id, ++this.#count);
    this.#put(chat);
  }

  /**
   * Takes the chat that a request returns, unless something newer about it has arrived since the request: an answer may be
   * slower than the events of later changes.
   */
  async takeAnswer(answer: Promise<Chat>): Promise<Chat> {
    const asked = ++this.#count;
    const chat = await answer;
    if (this.#isNewest(chat.id, asked)) {
      this.#taken.set(chat.id, asked);
      this.#put(chat);
    }
    return chat;
  }

  forget(id: string): void {
    this.#taken.set(id, ++this.#count);
    this.list.update(list => ({ ...list, chats: list.chats.filter(chat => chat.id !== id) }));
  }

  /** Reloads a chat, because a turn changes its times and may set its title. */
  async readAgain(id: string): Promise<void> {
    await this.takeAnswer(this.#client.getChat(id));
  }

  markRunning(id: string, turn: Chat['turn']): void {
    this.list.update(list => ({
      ...list,
      chats: list.chats.map(chat => (chat.id === id ? { ...chat, turn } : chat)),
    }));
  }

  #put(chat: Chat): void {
    this.list.update(list => ({
      ...list,
      chats: [chat, ...list.chats.filter(({ id }) => id !== chat.id)].sort(newestFirst),
    }));
  }

  #isNewest(id: string, asked: number): boolean {
    return asked > (this.#taken.get(id) ?? 0);
  }
}

const lastActivityTime = ({ last_message_at, created_at }: Chat): string => last_message_at ?? created_at;
const newestFirst = (a: Chat, b: Chat): number =>
  lastActivityTime(a) < lastActivityTime(b) ? 1 : lastActivityTime(a) > lastActivityTime(b) ? -1 : 0;
