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

export type OpenChats = ReturnType<typeof openChats>;

export function openChats({
  client,
  store,
  approvals,
  screen,
  hands: policy,
  own,
  commands,
  onEvent,
  onConnection,
  onError,
}: OpenChatsSettings) {
  const open = new Map<string, OpenChat>();
  let shown: OpenChat | null = null;
  /** The chat whose files the user is reverting: its hands do not ask again. */
  let undoing: string | null = null;

  const handsOf = (chat: Chat): HandsRunner => {
    const named = store.get().workdir;
    const workdir = chat.workdir_on === 'client' && chat.workdir !== null ? chat.workdir : named;
    const settings = {
      chat,
      policy,
      own,
      commands,
      workdir,
      readsAllowed: isInside(workdir, named),
      mode: () => store.get().mode,
      isUndoing: () => undoing === chat.id,
    };
    return createHandsRunner(client, approvals, settings, onError);
  };

  const openChat = (chat: Chat): OpenChat => {
    const hands = handsOf(chat);
    const frames = new Frames();
    const view = new ChatView(client, chat.id, {
      hands,
      schedule: frames.schedule,
      onEvent: event => {
        frames.saw(event);
        if (shown?.view === view) onEvent(event);
      },
    });
    view.subscribe(() => {
      const { lost } = store.get();
      if (shown?.view === view) {
        const snapshot = view.getSnapshot();
        onConnection(snapshot.connection);
        screen.takeSnapshot(snapshot);
      }
      // After a restart, the kernel may no longer run the turns.
      if (lost && !store.get().lost) void approvals.review();
    });
    return { view, hands };
  };

  const closeChat = (id: string): void => {
    const closed = open.get(id);
    open.delete(id);
    closed?.view.close();
    closed?.hands.close();
  };

  /** The chat stays open until its turns have ended, because they may need these hands. */
  const leave = (): void => {
    const left = shown;
    if (left === null) return;
    const id = left.view.chatId;
    const close = () => {
      if (shown !== left && open.get(id) === left) closeChat(id);
    };
    const waits = () => store.get().waiting.some(({ chat_id }) => chat_id === id);
    left.view.until(snapshot => snapshot.loaded && !snapshot.busy && !waits()).then(close, close);
  };

  /**
   * Shows a chat instead of the previous one.
   * @param samePage whether the chat continues the current page, because its first message created it
   */
  const show = (chat: Chat, samePage = false): OpenChat => {
    leave();
    const opened = open.get(chat.id) ?? openChat(chat);
    open.set(chat.id, opened);
    shown = opened;
    screen.show(chat, opened.view.getSnapshot(), samePage);
    return opened;
  };

  return {
    show,

    /** The chat on the screen. */
    get shown(): OpenChat | null {
      return shown;
    },

    /** Reloads a chat whose history or directory has changed. */
    reopen(chat: Chat): OpenChat {
      closeChat(chat.id);
      return show(chat);
    },

    /** Runs operations that are pending outside of turns. */
    async catchUp(chatId: string): Promise<void> {
      await open.get(chatId)?.hands.catchUp(chatId);
    },

    /** The client that reverts a chat's edits; undefined without hands. */
    handsFor(chatId: string): string | undefined {
      const { turnFields } = open.get(chatId)?.hands ?? {};
      return turnFields?.client_ops ? turnFields.client_id : undefined;
    },

    /** Reverts files of a chat at the user's request. */
    async undoing<Result>(chatId: string, work: () => Promise<Result>): Promise<Result> {
      undoing = chatId;
      try {
        return await work();
      } finally {
        undoing = null;
      }
    },

    /** Leaves the chat on the screen and shows an empty page. */
    clear(): void {
      leave();
      shown = null;
      screen.clear();
    },

    /** Leaves all chats. Their turns continue, but commands on this machine are killed. */
    async close(): Promise<void> {
      const { approvals: asked } = store.get();
      approvals.denyAll();
      const hands = [...open.values()].map(each => each.hands);
      if (asked.length > 0) await Promise.race([Promise.all(hands.map(each => each.idle())), patience()]);
      for (const id of [...open.keys()]) closeChat(id);
    },
  };
}

/** Time that closing waits for the kernel to accept the decisions. */
const CLOSE_TIMEOUT_MS = 1500;
const patience = (): Promise<void> => new Promise(resolve => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref());
