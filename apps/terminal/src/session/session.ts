/** The controller of the chat: converts user actions to kernel calls, and their results to state. */
import type { Chat, KernelClient, TurnEvent } from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';
import { approvalDialogs } from '../chats/approvals.ts';
import type { Own } from '../chats/chat-hands.ts';
import { type OpenChats, openChats } from '../chats/open-chats.ts';
import { openOutbox } from '../chats/outbox.ts';
import { showChats } from '../chats/shown-chat.ts';
import type { NamedChat } from '../editor/completion.ts';
import type { OwnerAction } from '../editor/reduce-editor.ts';
import type { EditorState, Submission } from '../editor/state.ts';
import { type HandsPolicy, newChatFields, toMachineField } from '../machine/hands-policy.ts';
import type { InputHistory } from '../machine/input-history.ts';
import { type Mode, modeAfter } from '../machine/modes.ts';
import { completePath } from '../machine/paths.ts';
import { loadUserCommands } from '../machine/user-commands.ts';
import { type AppState, initialState, type NewChatSettings, StateStore } from '../state/app-state.ts';
import { kernelFollower } from './kernel-follower.ts';
import { messageInput } from './message-input.ts';
import { queueOf } from './message-queue.ts';
import { openNotices } from './notices.ts';
import { openPanels } from './panels.ts';
import { endAfterStep } from './steering.ts';
import { userShell } from './user-shell.ts';

interface SessionSettings {
  hands: HandsPolicy;
  own: Own;
  /** How commands run on this machine. */
  commands?: CommandOptions | undefined;
  /** Absolute. */
  workdir: string;
  model?: string | undefined;
}

export type ChatSession = ReturnType<typeof chatSession>;

/** @param runCommand runs a line that starts with a slash; throws errors with messages for the user */
export function chatSession(
  client: KernelClient,
  { hands, own, commands, workdir, model }: SessionSettings,
  history: InputHistory,
  runCommand: (sent: Submission) => Promise<void>,
) {
  const store = new StateStore<AppState>(initialState(model === undefined ? {} : { model }, workdir));
  const closing = new AbortController();
  const left = Promise.withResolvers<void>();
  const notices = openNotices(store, client.url);
  const input = messageInput(store, history, notices);
  const panels = openPanels(store, notices.attempt);
  const shownChat = showChats(client, store, notices.fail);
  const services = { client, store, notices, input, panels, shownChat };
  const kernel = kernelFollower(services, chatId => chats.catchUp(chatId));
  const chats: OpenChats = openChats({
    client,
    store,
    approvals: approvalDialogs(client, store, notices.fail),
    screen: shownChat,
    hands,
    own,
    commands,
    onEvent: event => take(event),
    onConnection: kernel.setConnection,
    onError: notices.fail,
  });
  const outbox = openOutbox(client, store, chats, {
    placeOf: workdir => newChatFields(hands, workdir),
    machine: toMachineField(hands),
    uploads: own.uploads,
    onFile: name => notices.notify(`Uploading ${name} …`),
    onRefused: (sent, error) => {
      notices.fail(error);
      input.restore(sent);
    },
  });
  const shell = userShell(services);
  /** Detects a double ctrl-c, which exits. */
  const interrupts = doublePress();
  /** Detects a double Esc while no turn is running, which rewinds. */
  const escapes = doublePress();

  /** Handles events of the chat on the screen that its snapshot does not contain. */
  const take = (event: TurnEvent): void => {
    switch (event.type) {
      case 'usage':
        store.set({ usage: { model: event.model, prompt_tokens: event.prompt_tokens } });
        void shownChat.readSpend();
        return;
      case 'agent_usage':
        void shownChat.readSpend();
        return;
      case 'done':
        void shownChat.readSpend();
        void notices.attempt(() => outbox.recount());
        return;
      case 'error':
        if (event.replayed !== true) notices.notify(event.message, 'error');
        return;
    }
  };

  const setMode = (mode: Mode): void => store.set({ mode });

  /** Exits the program. Turns continue. */
  const quit = (): void => left.resolve();

  /** Cancels the running turn. @param queued also the queued ones @returns their messages, oldest first */
  const cancel = async ({ queued = false } = {}): Promise<Submission[]> => {
    const { chat, waiting } = store.get();
    const { cancelled, dropped = [] } =
      chat === null ? { cancelled: false } : await client.cancelTurn(chat.id, { queued });
    if (!cancelled) notices.notify('No turn is running.');
    if (dropped.length > 0) await outbox.recount();
    return dropped.map(({ message_id, text }) => {
      const own = waiting.find(each => each.message_id === message_id);
      return own?.sent ?? { text, attachments: [] };
    });
  };

  const searchHistory = (): void => {
    const texts = [...new Set(store.get().editor.history.toReversed())];
    const entries = texts.map(text => ({ id: text, label: text.replace(/\s+/g, ' ') }));
    panels.pick({ title: 'Previous messages', entries, empty: 'no matches' }, ({ id }) => input.replace(id));
  };

  void kernel.follow(closing.signal);
  return {
    ...services,
    kernel,
    chats,
    line: queueOf({ ...services, chats, outbox }),
    /** Slash commands of the user's folder. */
    ownCommands: loadUserCommands(process.env),
    /** Resolves when the user exits. */
    left: left.promise,
    setMode,
    quit,
    cancel,
    /** Sends a message, even if it looks like a command. */
    send: outbox.send,

    /** Sends a message, or runs a command. */
    submit(sent: Submission): void {
      notices.clear();
      input.remember(sent);
      const plain = sent.attachments.length === 0;
      if (plain && /^\/[\w-]*(?:\s|$)/.test(sent.text)) void notices.attempt(() => runCommand(sent));
      else if (plain && /^!\s*\S/.test(sent.text))
        void notices.attempt(() => shell.run(sent.text.slice(1).trim()));
      else outbox.send(sent);
    },

    /** Sends a message after the current step of the turn. */
    steer(sent: Submission): void {
      notices.clear();
      input.remember(sent);
      const view = chats.shown?.view;
      outbox.send(sent);
      if (view === undefined || !view.getSnapshot().busy) return;
      notices.notify('Sending after the current step.');
      void notices.attempt(() => endAfterStep(view, () => client.cancelTurn(view.chatId)));
    },

    act(action: Exclude<OwnerAction, 'editor' | 'suspend'>): void {
      if (action === 'help') panels.help();
      else if (action === 'mode') setMode(modeAfter(store.get().mode));
      else searchHistory();
    },

    completeFile: (query: string) => completePath(store.get().workdir, query),

    /** Finds the latest other chats whose titles contain the query. @throws KernelApiError, ConnectionError */
    async completeChat(query: string): Promise<NamedChat[]> {
      const found = await client.listChats({ limit: 4 * MAX_CHATS, ...(query !== '' && { q: query }) });
      const present = store.get().chat?.id;
      return found.chats
        .flatMap(({ id, title }) => (title === null || id === present ? [] : [{ id, title }]))
        .slice(0, MAX_CHATS);
    },

    /** Changes the settings of the chat that the first message creates. */
    setNewChat: (change: NewChatSettings): void =>
      store.set({ newChat: { ...store.get().newChat, ...change } }),

    /** Changes the input. Typing resets the double ctrl-c. */
    edit(change: (state: EditorState) => EditorState): void {
      interrupts.forget();
      input.edit(change);
    },

    /** Handles Esc: stops the turn. Pressed twice without a turn, opens /rewind. */
    escape(): void {
      const { snapshot, chat, editor } = store.get();
      if (snapshot.busy) return void notices.attempt(() => cancel());
      const isSecond = escapes.press();
      if (chat === null || editor.text !== '') return;
      if (isSecond) void notices.attempt(() => runCommand({ text: '/rewind', attachments: [] }));
      else notices.notify('Press Esc again to rewind');
    },

    /** Handles ctrl-c: the first press clears the input or cancels the turn; a second one exits. */
    interrupt(): void {
      if (interrupts.press()) return void quit();
      const { editor, snapshot } = store.get();
      if (shell.end()) return;
      if (editor.text !== '') input.discard();
      else if (snapshot.busy) void notices.attempt(() => cancel());
      notices.notify('Press Ctrl-C again to exit');
    },

    /** Shows a chat. @param page `again` if its history or directory has changed */
    open(chat: Chat, page: 'new' | 'again' = 'new'): void {
      if (page === 'again') chats.reopen(chat);
      else chats.show(chat);
      void shownChat.readSpend();
    },

    /** Saves the draft, denies open operations, and closes all connections. */
    async close(): Promise<void> {
      input.keep();
      await chats.close();
      closing.abort();
    },
  };
}

/** Chats that complete an @. */
const MAX_CHATS = 5;
/** Maximum time between the two presses of a pair, milliseconds. */
const TWICE_MS = 2000;

/** Detects a double key press. */
function doublePress() {
  let last = Number.NEGATIVE_INFINITY;
  return {
    /** Counts a press. @returns whether it is the second of a pair */
    press(): boolean {
      const isSecond = Date.now() - last < TWICE_MS;
      last = isSecond ? Number.NEGATIVE_INFINITY : Date.now();
      return isSecond;
    },

    /** Resets after another action. */
    forget(): void {
      last = Number.NEGATIVE_INFINITY;
    },
  };
}
