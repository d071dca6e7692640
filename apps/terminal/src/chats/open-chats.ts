/** The open chats: the one on the screen, and those that the user left while their turns were running. */
import {
  type Chat,
  ChatView,
  type HandsRunner,
  type KernelClient,
  type StreamConnection,
  type TurnEvent,
} from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';
import type { HandsPolicy } from '../machine/hands-policy.ts';
import { isInside } from '../machine/paths.ts';
import type { AppStore } from '../state/app-state.ts';
import type { ApprovalDialogs } from './approvals.ts';
import { createHandsRunner, type Own } from './chat-hands.ts';
import type { ShownChat } from './shown-chat.ts';

const FRAME_MS = 100;

/**
 * Limits drawing of a growing answer to ten times a second, because each drawing is expensive. Other events are drawn
 * immediately, because an operation may begin and end within a frame.
 */
class Frames {
  #due: { take: () => void; timer: ReturnType<typeof setTimeout>; grows: boolean | null } | undefined;

  /** Schedules a callback. */
  readonly schedule = (take: () => void): void => {
    this.#due = { take, timer: setTimeout(this.#draw, 0), grows: null };
  };

  /** Takes the event that caused the callback, in the same tick. Growth waits for the next frame. */
  saw({ type }: TurnEvent): void {
    if (this.#due === undefined) return;
    const grows = type === 'item_delta' || type === 'tool_progress';
    if (this.#due.grows === grows || this.#due.grows === false) return;
    clearTimeout(this.#due.timer);
    this.#due.grows = grows;
    this.#due.timer = setTimeout(this.#draw, grows ? FRAME_MS : 0);
  }

  readonly #draw = (): void => {
    const due = this.#due;
    this.#due = undefined;
    due?.take();
  };
}

export interface OpenChat {
  readonly view: ChatView;
  readonly hands: HandsRunner;
}

interface OpenChatsSettings {
  client: KernelClient;
  store: AppStore;
  approvals: ApprovalDialogs;
  screen: ShownChat;
  hands: HandsPolicy;
  own: Own;
  commands?: CommandOptions | undefined;
  /** Called with each event of the chat on the screen. */
  onEvent: (event: TurnEvent) => void;
  /** Called with the connection of the chat on the screen, whenever its snapshot changes. */
  onConnection: (connection: StreamConnection) => void;
  onError: (error: unknown) => void;
}

export class OpenChats {
  readonly #settings: OpenChatsSettings;
  readonly #open = new Map<string, OpenChat>();
  #shown: OpenChat | null = null;
  /** The chat whose files the user is reverting: its hands do not ask again. */
  #undoing: string | null = null;

  constructor(settings: OpenChatsSettings) {
    this.#settings = settings;
  }

  /** The chat on the screen. */
  get shown(): OpenChat | null {
    return this.#shown;
  }

  /**
   * Shows a chat. The previous one stays open until its turns have ended, because they may need these hands.
   * @param samePage whether the chat continues the current page, because its first message created it
   */
  show(chat: Chat, samePage = false): OpenChat {
    this.#leave();
    const opened = this.#open.get(chat.id) ?? this.#openChat(chat);
    this.#open.set(chat.id, opened);
    this.#shown = opened;
    this.#settings.screen.show(chat, opened.view.getSnapshot(), samePage);
    return opened;
  }

  /** Reloads a chat whose history or directory has changed. */
  reopen(chat: Chat): OpenChat {
    this.#close(chat.id);
    return this.show(chat);
  }

  /** Runs operations that are pending outside of turns. */
  async catchUp(chatId: string): Promise<void> {
    await this.#open.get(chatId)?.hands.catchUp(chatId);
  }

  /** The client that reverts a chat's edits; undefined without hands. */
  handsFor(chatId: string): string | undefined {
    const { turnFields } = this.#open.get(chatId)?.hands ?? {};
    return turnFields?.client_ops ? turnFields.client_id : undefined;
  }

  /** Reverts files of a chat at the user's request. */
  async undoing<Result>(chatId: string, work: () => Promise<Result>): Promise<Result> {
    this.#undoing = chatId;
    try {
      return await work();
    } finally {
      this.#undoing = null;
    }
  }

  /** Leaves the chat on the screen and shows an empty page. */
  clear(): void {
    this.#leave();
    this.#shown = null;
    this.#settings.screen.clear();
  }

  /** Leaves all chats. Their turns continue, but commands on this machine are killed. */
  async close(): Promise<void> {
    const { approvals } = this.#settings.store.get();
    this.#settings.approvals.denyAll();
    const hands = [...this.#open.values()].map(({ hands }) => hands);
    if (approvals.length > 0) await Promise.race([Promise.all(hands.map(each => each.idle())), patience()]);
    for (const id of [...this.#open.keys()]) this.#close(id);
  }

  #openChat(chat: Chat): OpenChat {
    const hands = this.#handsOf(chat);
    const frames = new Frames();
    const view = new ChatView(this.#settings.client, chat.id, {
      hands,
      schedule: frames.schedule,
      onEvent: event => {
        frames.saw(event);
        if (this.#shown?.view === view) this.#settings.onEvent(event);
      },
    });
    view.subscribe(() => {
      const { lost } = this.#settings.store.get();
      if (this.#shown?.view === view) this.#take(view);
      // After a restart, the kernel may no longer run the turns.
      if (lost && !this.#settings.store.get().lost) void this.#settings.approvals.review();
    });
    return { view, hands };
  }

  #take(view: ChatView): void {
    const snapshot = view.getSnapshot();
    this.#settings.onConnection(snapshot.connection);
    this.#settings.screen.takeSnapshot(snapshot);
  }

  #handsOf(chat: Chat): HandsRunner {
    const { hands: policy, own, commands, onError } = this.#settings;
    const named = this.#settings.store.get().workdir;
    const workdir = chat.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : named;
    const readsAllowed = isInside(workdir, named);
    return createHandsRunner(
      this.#settings.client,
      this.#settings.approvals,
      {
        chat,
        policy,
        own,
        commands,
        workdir,
        readsAllowed,
        mode: () => this.#settings.store.get().mode,
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
    return this.#settings.store.get().waiting.some(({ chat_id }) => chat_id === id);
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.view.close();
    open?.hands.close();
  }
}

/** Time that closing waits for the kernel to accept the decisions. */
const CLOSE_TIMEOUT_MS = 1500;
const patience = (): Promise<void> => new Promise(resolve => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref());
