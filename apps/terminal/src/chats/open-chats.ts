/** The chats that are open: the one on the screen, and those that the owner left while their turns ran. */
import {
  type Chat,
  ChatView,
  type HandsRunner,
  type KernelClient,
  type StreamConnection,
  type TurnEvent,
} from '@chat-kernel/client';
import type { HandsPolicy } from '../machine/hands-policy.ts';
import { isInside } from '../machine/paths.ts';
import type { AppState } from '../state/app-state.ts';
import type { ApprovalDialogs } from './approvals.ts';
import { Frames } from './frames.ts';
import { handsOf, type Own } from './hands.ts';
import type { ShownChat } from './shown-chat.ts';

export interface OpenChat {
  readonly view: ChatView;
  readonly hands: HandsRunner;
}

interface OpenChatsSettings {
  hands: HandsPolicy;
  own: Own;
  /** Called with each event of the chat on the screen. */
  onEvent: (event: TurnEvent) => void;
  /** Called with the connection of the chat on the screen, whenever its snapshot changes. */
  onConnection: (connection: StreamConnection) => void;
  onError: (error: unknown) => void;
}

export class OpenChats {
  readonly #client: KernelClient;
  readonly #state: () => AppState;
  readonly #approvals: ApprovalDialogs;
  readonly #screen: ShownChat;
  readonly #settings: OpenChatsSettings;
  readonly #open = new Map<string, OpenChat>();
  #shown: OpenChat | null = null;
  /** The chat in which the owner goes back with its files: these hands do not ask him again. */
  #undoing: string | null = null;

  constructor(
    client: KernelClient,
    state: () => AppState,
    approvals: ApprovalDialogs,
    screen: ShownChat,
    settings: OpenChatsSettings,
  ) {
    this.#client = client;
    this.#state = state;
    this.#approvals = approvals;
    this.#screen = screen;
    this.#settings = settings;
  }

  /** The chat on the screen. */
  get shown(): OpenChat | null {
    return this.#shown;
  }

  /**
   * Puts a chat on the screen. The one before stays open until its turns have ended, for they may need these hands.
   * @param samePage the chat continues what is on the screen: the first message has created it
   */
  show(chat: Chat, samePage = false): OpenChat {
    this.#leave();
    const opened = this.#open.get(chat.id) ?? this.#openChat(chat);
    this.#open.set(chat.id, opened);
    this.#shown = opened;
    this.#screen.show(chat, opened.view.getSnapshot(), samePage);
    return opened;
  }

  /** Reads a chat anew whose past or directory has changed. */
  reopen(chat: Chat): OpenChat {
    this.#close(chat.id);
    return this.show(chat);
  }

  /** These hands do what waits for them outside of turns. */
  async catchUp(chatId: string): Promise<void> {
    await this.#open.get(chatId)?.hands.catchUp(chatId);
  }

  /** The client by which a chat's edits are undone; undefined where no hands are here. */
  handsFor(chatId: string): string | undefined {
    const { turnFields } = this.#open.get(chatId)?.hands ?? {};
    return turnFields?.client_ops ? turnFields.client_id : undefined;
  }

  /** Goes back with the files of a chat, by the owner's own word. */
  async undoing<Result>(chatId: string, work: () => Promise<Result>): Promise<Result> {
    this.#undoing = chatId;
    try {
      return await work();
    } finally {
      this.#undoing = null;
    }
  }

  /** Leaves the chat on the screen, which is empty then. */
  clear(): void {
    this.#leave();
    this.#shown = null;
    this.#screen.clear();
  }

  /** Leaves all chats: their turns go on, commands that run here are killed. */
  async close(): Promise<void> {
    const { approvals } = this.#state();
    this.#approvals.denyAll();
    const hands = [...this.#open.values()].map(({ hands }) => hands);
    if (approvals.length > 0) await Promise.race([Promise.all(hands.map(each => each.idle())), patience()]);
    for (const id of [...this.#open.keys()]) this.#close(id);
  }

  #openChat(chat: Chat): OpenChat {
    const hands = this.#handsOf(chat);
    const frames = new Frames();
    const view = new ChatView(this.#client, chat.id, {
      hands,
      mute: TOLD_BY_ITEMS,
      schedule: frames.schedule,
      onEvent: event => {
        frames.saw(event);
        if (this.#shown?.view === view) this.#settings.onEvent(event);
      },
    });
    view.subscribe(() => {
      const { lost } = this.#state();
      if (this.#shown?.view === view) this.#take(view);
      // The kernel may have come back without the turns that it had.
      if (lost && !this.#state().lost) void this.#approvals.review();
    });
    return { view, hands };
  }

  #take(view: ChatView): void {
    const snapshot = view.getSnapshot();
    this.#settings.onConnection(snapshot.connection);
    this.#screen.takeSnapshot(snapshot);
  }

  #handsOf(chat: Chat): HandsRunner {
    const { hands: policy, own, onError } = this.#settings;
    const named = this.#state().workdir;
    const workdir = chat.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : named;
    const readsAllowed = isInside(workdir, named);
    return handsOf(
      this.#client,
      this.#approvals,
      {
        chat,
        policy,
        own,
        workdir,
        readsAllowed,
        mode: () => this.#state().mode,
        isUndoing: () => this.#undoing === chat.id,
      },
      onError,
    );
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
    return this.#state().waiting.some(({ chat_id }) => chat_id === id);
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.view.close();
    open?.hands.close();
  }
}

/** Events whose text comes with the items as well. */
const TOLD_BY_ITEMS = ['text_delta', 'thinking_delta'] as const;

/** Closing waits so long for the kernel to take the decisions. */
const PATIENCE_MS = 1500;
const patience = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PATIENCE_MS).unref());
