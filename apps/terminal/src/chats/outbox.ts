/** Messages on their way to the kernel: one after the other, so that they arrive in their order. */
import { KernelApiError, type KernelClient, type OwnUploads, type TurnStatus } from '@chat-kernel/client';
import type { Submission } from '../editor/state.ts';
import { PLAN_CONTEXT } from '../machine/modes.ts';
import type { OutboxState, Slice, WaitingMessage } from '../state/app-state.ts';
import { turnOf } from './message.ts';
import type { OpenChat, OpenChats } from './open-chats.ts';

interface OutboxSettings {
  /** Where new chats work that begin in a directory. */
  placeOf: (workdir: string) => Parameters<KernelClient['createChat']>[0];
  machine: 'auto' | 'none';
  uploads: OwnUploads;
  /** Called with the name of each file before its bytes go out. */
  onFile: (name: string) => void;
  onRefused: (sent: Submission, error: unknown) => void;
}

export class Outbox {
  readonly #client: KernelClient;
  readonly #state: Slice<OutboxState>;
  readonly #chats: OpenChats;
  readonly #settings: OutboxSettings;
  /** Chats that their first message has created, by the page on which it was sent. */
  readonly #created = new Map<number, OpenChat>();
  #last: Promise<void> = Promise.resolve();

  constructor(client: KernelClient, state: Slice<OutboxState>, chats: OpenChats, settings: OutboxSettings) {
    this.#client = client;
    this.#state = state;
    this.#chats = chats;
    this.#settings = settings;
  }

  /** Sends to the chat on the screen, and creates it where there is none. While the kernel is gone, the message waits. */
  send(sent: Submission): void {
    this.#count(1);
    // The chat is decided now: the owner may have gone to another one when the message goes out.
    const { shown } = this.#chats;
    const { page } = this.#state.get();
    this.#last = this.#last
      .then(() => this.#send(sent, shown, page))
      .catch(error => this.#settings.onRefused(sent, error))
      .finally(() => this.#count(-1));
  }

  /** Forgets the messages whose turns wait no longer: they have begun elsewhere, or were dropped. @throws BrokenLine */
  async recount(): Promise<void> {
    const over: WaitingMessage[] = [];
    for (const each of this.#state.get().waiting) {
      if (!(await this.isWaiting(each))) over.push(each);
    }
    if (over.length > 0) this.forget(over);
  }

  /** Whether the turn of a message has not begun. @throws BrokenLine */
  async isWaiting({ chat_id, turn_id }: WaitingMessage): Promise<boolean> {
    try {
      const { status } = await this.#client.getTurn(chat_id, turn_id);
      return IS_WAITING[status];
    } catch (error) {
      // The turn is gone with its chat.
      if (error instanceof KernelApiError) return false;
      throw error;
    }
  }

  /** Takes messages of this client from the list: the kernel has dropped them. */
  forget(dropped: readonly WaitingMessage[]): void {
    this.#state.set({ waiting: this.#state.get().waiting.filter(each => !dropped.includes(each)) });
  }

  async #send(sent: Submission, shown: OpenChat | null, page: number): Promise<void> {
    const { uploads, onFile } = this.#settings;
    const turn = await turnOf(this.#client, sent, uploads, onFile);
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
