/** Sends messages to the kernel one at a time, so that they arrive in order. */
import { KernelApiError, type KernelClient, type OwnUploads, type TurnStatus } from '@chat-kernel/client';
import type { Submission } from '../editor/state.ts';
import { PLAN_CONTEXT } from '../machine/modes.ts';
import type { AppStore, WaitingMessage } from '../state/app-state.ts';
import { buildTurnRequest } from './message.ts';
import type { OpenChat, OpenChats } from './open-chats.ts';

interface OutboxSettings {
  /** Returns the location of a new chat in a directory. */
  placeOf: (workdir: string) => Parameters<KernelClient['createChat']>[0];
  machine: 'auto' | 'none';
  uploads: OwnUploads;
  /** Called with the name of each file before its upload. */
  onFile: (name: string) => void;
  onRefused: (sent: Submission, error: unknown) => void;
}

export class Outbox {
  readonly #client: KernelClient;
  readonly #state: AppStore;
  readonly #chats: OpenChats;
  readonly #settings: OutboxSettings;
  /** Chats created by their first message, by the page on which it was sent. */
  readonly #created = new Map<number, OpenChat>();
  #last: Promise<void> = Promise.resolve();

  constructor(client: KernelClient, state: AppStore, chats: OpenChats, settings: OutboxSettings) {
    this.#client = client;
    this.#state = state;
    this.#chats = chats;
    this.#settings = settings;
  }

  /** Sends to the chat on the screen, or to a new one. While disconnected, the message is queued. */
  send(sent: Submission): void {
    this.#count(1);
    // Select the chat now: the user may switch to another one before the message is sent.
    const { shown } = this.#chats;
    const { page } = this.#state.get();
    this.#last = this.#last
      .then(() => this.#send(sent, shown, page))
      .catch(error => this.#settings.onRefused(sent, error))
      .finally(() => this.#count(-1));
  }

  /** Removes messages whose turns left the queue, because they started or were canceled. @throws ConnectionError */
  async recount(): Promise<void> {
    const over: WaitingMessage[] = [];
    for (const each of this.#state.get().waiting) {
      if (!(await this.isWaiting(each))) over.push(each);
    }
    if (over.length > 0) this.forget(over);
  }

  /** Whether the turn of a message has not started. @throws ConnectionError */
  async isWaiting({ chat_id, turn_id }: WaitingMessage): Promise<boolean> {
    try {
      const { status } = await this.#client.getTurn(chat_id, turn_id);
      return IS_WAITING[status];
    } catch (error) {
      // The turn was deleted with its chat.
      if (error instanceof KernelApiError) return false;
      throw error;
    }
  }

  /** Removes messages that the kernel has dropped. */
  forget(dropped: readonly WaitingMessage[]): void {
    this.#state.set({ waiting: this.#state.get().waiting.filter(each => !dropped.includes(each)) });
  }

  async #send(sent: Submission, shown: OpenChat | null, page: number): Promise<void> {
    const { uploads, onFile } = this.#settings;
    const turn = await buildTurnRequest(this.#client, sent, uploads, onFile);
    const { view, hands } = shown ?? this.#created.get(page) ?? (await this.#create(page));
    const { busy } = view.getSnapshot();
    const started = await view.send({
      ...turn,
      questions: true,
      ...hands.turnFields,
      machine: this.#state.get().chat?.hands ? 'auto' : this.#settings.machine,
      ...(this.#state.get().mode === 'plan' && { context: PLAN_CONTEXT }),
    });
    const sent_at = new Date().toISOString();
    const waiting = { ...started, chat_id: view.chatId, sent, sent_at, behind: busy };
    this.#state.set({ waiting: [...this.#state.get().waiting, waiting] });
  }

  async #create(page: number): Promise<OpenChat> {
    const { newChat, workdir } = this.#state.get();
    const chat = await this.#client.createChat({ ...newChat, ...this.#settings.placeOf(workdir) });
    const opened = this.#chats.show(chat, this.#state.get().page === page);
    this.#created.set(page, opened);
    return opened;
  }

  #count(by: number): void {
    this.#state.set({ sending: this.#state.get().sending + by });
  }
}

const IS_WAITING: Record<TurnStatus, boolean> = {
  queued: true,
  sleeping: true,
  running: false,
  completed: false,
  failed: false,
  cancelled: false,
};
