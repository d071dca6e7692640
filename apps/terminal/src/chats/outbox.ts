/** Messages on their way to the kernel: one after the other, so that they arrive in their order. */
import type { KernelClient } from '@chat-kernel/client';
import type { Submission } from '../editor/state.ts';
import type { AppState } from '../state/app-state.ts';
import type { Store } from '../state/store.ts';
import { turnOf } from './message.ts';
import type { OpenChat, OpenChats } from './open-chats.ts';

export interface OutboxSettings {
  /** New chats work on this machine. */
  hands: boolean;
  /** Told of a message that was not taken. */
  onRefused: (sent: Submission, error: unknown) => void;
}

export class Outbox {
  readonly #client: KernelClient;
  readonly #store: Store<AppState>;
  readonly #chats: OpenChats;
  readonly #settings: OutboxSettings;
  /** Chats that their first message made, by the page on which it was said. */
  readonly #made = new Map<number, OpenChat>();
  #last: Promise<void> = Promise.resolve();

  constructor(client: KernelClient, store: Store<AppState>, chats: OpenChats, settings: OutboxSettings) {
    this.#client = client;
    this.#store = store;
    this.#chats = chats;
    this.#settings = settings;
  }

  /** Into the chat on the screen, which is made where there is none. While the kernel is gone, it waits. */
  send(sent: Submission): void {
    this.#count(1);
    // Where the owner has gone by the time it goes out does not matter.
    const { shown } = this.#chats;
    const { page } = this.#store.get();
    this.#last = this.#last
      .then(() => this.#send(sent, shown, page))
      .catch(error => this.#settings.onRefused(sent, error))
      .finally(() => this.#count(-1));
  }

  async #send(sent: Submission, shown: OpenChat | null, page: number): Promise<void> {
    const turn = await turnOf(this.#client, sent);
    const { view, hands } = shown ?? this.#made.get(page) ?? (await this.#create(page));
    const { busy } = view.getSnapshot();
    const started = await view.send({ ...turn, questions: true, ...hands?.turnFields });
    const sent_at = new Date().toISOString();
    const waiting = { ...started, chat_id: view.chatId, text: sent.text, sent_at, behind: busy };
    this.#store.set({ waiting: [...this.#store.get().waiting, waiting] });
  }

  async #create(page: number): Promise<OpenChat> {
    const { wanted, workdir } = this.#store.get();
    const place = this.#settings.hands ? { workdir, workdir_on: 'client' as const } : {};
    const chat = await this.#client.createChat({ ...wanted, ...place });
    const opened = this.#chats.show(chat, this.#store.get().page === page);
    this.#made.set(page, opened);
    return opened;
  }

  #count(by: number): void {
    this.#store.set({ sending: this.#store.get().sending + by });
  }
}
