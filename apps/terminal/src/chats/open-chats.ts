/** The chats that are open: the one on the screen, and those that were left while their turn ran. */
import {
  type Chat,
  ChatView,
  type HandsRunner,
  type KernelClient,
  type TurnEvent,
} from '@chat-kernel/client';
import { isInside } from '../machine/paths.ts';
import type { AppState } from '../state/app-state.ts';
import { isLost } from '../state/status.ts';
import type { Store } from '../state/store.ts';
import { Approvals } from './approvals.ts';
import { handsOf } from './hands.ts';

export interface OpenChat {
  readonly view: ChatView;
  /** Null: this machine does nothing for it. */
  readonly hands: HandsRunner | null;
}
export interface ChatsSettings {
  hands: 'ask' | 'reads' | 'none';
  /** Told each event of the chat on the screen. */
  onEvent: (event: TurnEvent) => void;
  onError: (error: unknown) => void;
}

export class OpenChats {
  readonly #client: KernelClient;
  readonly #store: Store<AppState>;
  readonly #settings: ChatsSettings;
  readonly #open = new Map<string, OpenChat>();
  readonly #approvals: Approvals;
  #shown: OpenChat | null = null;

  constructor(client: KernelClient, store: Store<AppState>, settings: ChatsSettings) {
    this.#client = client;
    this.#store = store;
    this.#settings = settings;
    this.#approvals = new Approvals(client, store, settings.onError);
  }

  /** The one on the screen. */
  get shown(): OpenChat | null {
    return this.#shown;
  }

  /**
   * Puts a chat on the screen. The one before stays open until its turns have ended, for they may need these hands.
   * @param samePage it continues what is on the screen: the chat that the first message made
   */
  show(chat: Chat, samePage = false): OpenChat {
    this.#leave();
    const opened = this.#open.get(chat.id) ?? this.#openChat(chat);
    this.#open.set(chat.id, opened);
    this.#shown = opened;
    const { page, turn } = this.#store.get();
    const snapshot = opened.view.getSnapshot();
    this.#store.set({
      chat,
      snapshot,
      page: samePage ? page : page + 1,
      turn: samePage ? turn : null,
      spend: null,
      usage: null,
    });
    return opened;
  }

  /** Reads a chat anew whose past has changed. */
  reopen(chat: Chat): OpenChat {
    this.#close(chat.id);
    return this.show(chat);
  }

  /** The screen is empty again. @param empty what a chat without anything looks like */
  clear(empty: AppState['snapshot']): void {
    this.#leave();
    this.#shown = null;
    const { page } = this.#store.get();
    this.#store.set({ chat: null, snapshot: empty, page: page + 1, spend: null, usage: null, turn: null });
  }

  /** Leaves all of them: turns go on, commands that run here are killed. */
  async close(): Promise<void> {
    const { approvals } = this.#store.get();
    this.#approvals.denyAll();
    const hands = [...this.#open.values()].flatMap(({ hands }) => hands ?? []);
    if (approvals.length > 0) await Promise.race([Promise.all(hands.map(each => each.idle())), soon()]);
    for (const id of [...this.#open.keys()]) this.#close(id);
  }

  #openChat(chat: Chat): OpenChat {
    const hands = this.#handsOf(chat);
    const view = new ChatView(this.#client, chat.id, {
      ...(hands && { hands }),
      onEvent: event => this.#shown?.view === view && this.#settings.onEvent(event),
    });
    view.subscribe(() => {
      const { lost } = this.#store.get();
      if (this.#shown?.view === view) this.#take(view);
      // The kernel is back, perhaps without the turns that it had.
      if (lost && !this.#store.get().lost) void this.#approvals.review();
    });
    return { view, hands };
  }

  #take(view: ChatView): void {
    const snapshot = view.getSnapshot();
    const { turn, busy } = snapshot;
    const { turn: seen, lost } = this.#store.get();
    const id = turn?.turn_id ?? null;
    // The place of a turn that was told of before its id is the same.
    const goes = seen !== null && (seen.id === null || seen.id === id);
    const began = Math.min(
      Date.now(),
      Date.parse(turn?.items[0]?.created_at ?? '') || Number.POSITIVE_INFINITY,
    );
    this.#store.set({
      snapshot,
      lost: isLost(snapshot.connection, lost),
      turn: !busy ? null : { id, started_at: goes ? Math.min(seen.started_at, began) : began },
    });
  }

  #handsOf(chat: Chat): HandsRunner | null {
    const { hands: policy, onError } = this.#settings;
    if (policy === 'none') return null;
    const named = this.#store.get().workdir;
    const workdir = chat.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : named;
    const readsAllowed = isInside(workdir, named);
    return handsOf(this.#client, this.#approvals, { chat, policy, workdir, readsAllowed }, onError);
  }

  #leave(): void {
    const left = this.#shown;
    if (left === null) return;
    const { view } = left;
    const close = () => {
      if (this.#shown !== left && this.#open.get(view.chatId) === left) this.#close(view.chatId);
    };
    view.until(snapshot => snapshot.loaded && !snapshot.busy && !this.#waits(view.chatId)).then(close, close);
  }

  #waits(id: string): boolean {
    return this.#store.get().waiting.some(({ chat_id }) => chat_id === id);
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.view.close();
    open?.hands?.close();
  }
}

const PATIENCE_MS = 1500;
const soon = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PATIENCE_MS).unref());
