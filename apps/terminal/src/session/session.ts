/** The controller of the chat: converts user actions to kernel calls, and their results to state. */
import type { Chat, KernelClient, TurnEvent } from '@chat-kernel/client';
import type { CommandOptions } from '@chat-kernel/hands';
import { approvalDialogs } from '../chats/approvals.ts';
import type { Own } from '../chats/chat-hands.ts';
import { type OpenChats, openChats } from '../chats/open-chats.ts';
import { type Outbox, openOutbox } from '../chats/outbox.ts';
import { type ShownChat, showChats } from '../chats/shown-chat.ts';
import type { OwnerAction } from '../editor/reduce-editor.ts';
import type { EditorState, Submission } from '../editor/state.ts';
import { type HandsPolicy, newChatFields, toMachineField } from '../machine/hands-policy.ts';
import type { InputHistory } from '../machine/input-history.ts';
import { type Mode, modeAfter } from '../machine/modes.ts';
import { loadUserCommands } from '../machine/user-commands.ts';
import { type AppState, initialState, type NewChatSettings, StateStore } from '../state/app-state.ts';
import { DoublePress } from './double-press.ts';
import { type KernelFollower, kernelFollower } from './kernel-follower.ts';
import { type MessageInput, messageInput } from './message-input.ts';
import { type MessageQueue, queueOf } from './message-queue.ts';
import { type Notices, openNotices } from './notices.ts';
import { openPanels, type Panels } from './panels.ts';
import { endAfterStep } from './steering.ts';
import { type UserShell, userShell } from './user-shell.ts';

interface SessionSettings {
  hands: HandsPolicy;
  own: Own;
  /** How commands run on this machine. */
  commands?: CommandOptions | undefined;
  /** Absolute. */
  workdir: string;
  model?: string | undefined;
}

/** Runs a line that starts with a slash. Throws errors with messages for the user. */
type RunCommand = (session: ChatSession, sent: Submission) => Promise<void>;

export class ChatSession {
  readonly client: KernelClient;
  readonly store: StateStore<AppState>;
  readonly notices: Notices;
  readonly input: MessageInput;
  readonly panels: Panels;
  readonly shownChat: ShownChat;
  readonly kernel: KernelFollower;
  readonly chats: OpenChats;
  readonly line: MessageQueue;
  readonly shell: UserShell;
  /** Slash commands of the user's folder. */
  readonly ownCommands = loadUserCommands(process.env);
  /** Resolves when the user exits. */
  readonly left: Promise<void>;
  readonly #outbox: Outbox;
  readonly #leave: () => void;
  readonly #runCommand: RunCommand;
  readonly #closing = new AbortController();
  /** Detects a double ctrl-c, which exits. */
  readonly #interrupts = new DoublePress();
  /** Detects a double Esc while no turn is running, which rewinds. */
  readonly #escapes = new DoublePress();

  constructor(
    client: KernelClient,
    { hands, own, commands, workdir, model }: SessionSettings,
    history: InputHistory,
    runCommand: RunCommand,
  ) {
    const store = new StateStore<AppState>(initialState(model === undefined ? {} : { model }, workdir));
    const left = Promise.withResolvers<void>();
    this.client = client;
    this.store = store;
    this.left = left.promise;
    this.#leave = left.resolve;
    this.#runCommand = runCommand;
    this.notices = openNotices(store, client.url);
    this.input = messageInput(store, history, this.notices);
    this.panels = openPanels(store, this.notices.attempt);
    this.shownChat = showChats(client, store, this.notices.fail);
    const { notices, input, panels, shownChat } = this;
    const services = { client, store, notices, input, panels, shownChat };
    this.kernel = kernelFollower(services, chatId => this.chats.catchUp(chatId));
    const approvals = approvalDialogs(client, store, this.notices.fail);
    this.chats = openChats({
      client,
      store,
      approvals,
      screen: this.shownChat,
      hands,
      own,
      commands,
      onEvent: event => this.#take(event),
      onConnection: connection => this.kernel.setConnection(connection),
      onError: this.notices.fail,
    });
    this.#outbox = openOutbox(client, store, this.chats, {
      placeOf: workdir => newChatFields(hands, workdir),
      machine: toMachineField(hands),
      uploads: own.uploads,
      onFile: name => this.notices.notify(`Uploading ${name} …`),
      onRefused: (sent, error) => {
        this.notices.fail(error);
        this.input.restore(sent);
      },
    });
    this.line = queueOf({ ...services, chats: this.chats, outbox: this.#outbox });
    this.shell = userShell(services);
    void this.kernel.follow(this.#closing.signal);
  }

  /** Sends a message, or runs a command. */
  submit = (sent: Submission): void => {
    this.notices.clear();
    this.input.remember(sent);
    const plain = sent.attachments.length === 0;
    if (plain && /^\/[\w-]*(?:\s|$)/.test(sent.text))
      void this.notices.attempt(() => this.#runCommand(this, sent));
    else if (plain && /^!\s*\S/.test(sent.text))
      void this.notices.attempt(() => this.shell.run(sent.text.slice(1).trim()));
    else this.send(sent);
  };

  /** Sends a message, even if it looks like a command. */
  send = (sent: Submission): void => this.#outbox.send(sent);

  /** Sends a message after the current step of the turn. */
  steer = (sent: Submission): void => {
    this.notices.clear();
    this.input.remember(sent);
    const view = this.chats.shown?.view;
    this.send(sent);
    if (view === undefined || !view.getSnapshot().busy) return;
    this.notices.notify('Sending after the current step.');
    void this.notices.attempt(() => endAfterStep(view, () => this.client.cancelTurn(view.chatId)));
  };

  act = (action: Exclude<OwnerAction, 'editor' | 'suspend'>): void => {
    if (action === 'help') this.panels.help();
    else if (action === 'mode') this.setMode(modeAfter(this.store.get().mode));
    else this.#searchHistory();
  };

  setMode(mode: Mode): void {
    this.store.set({ mode });
  }

  /** Changes the settings of the chat that the first message creates. */
  setNewChat(change: NewChatSettings): void {
    this.store.set({ newChat: { ...this.store.get().newChat, ...change } });
  }

  /** Changes the input. Typing resets the double ctrl-c. */
  edit = (change: (state: EditorState) => EditorState): void => {
    this.#interrupts.forget();
    this.input.edit(change);
  };

  /** Handles Esc: stops the turn. Pressed twice without a turn, opens /rewind. */
  escape = (): void => {
    const { snapshot, chat, editor } = this.store.get();
    if (snapshot.busy) return void this.notices.attempt(() => this.cancel());
    const isSecond = this.#escapes.press();
    if (chat === null || editor.text !== '') return;
    if (isSecond) this.#command('/rewind');
    else this.notices.notify('Press Esc again to rewind');
  };

  /** Handles ctrl-c: the first press clears the input or cancels the turn; a second one exits. */
  interrupt = (): void => {
    if (this.#interrupts.press()) {
      this.quit();
      return;
    }
    const { editor, snapshot } = this.store.get();
    if (this.shell.end()) return;
    if (editor.text !== '') this.input.discard();
    else if (snapshot.busy) void this.notices.attempt(() => this.cancel());
    this.notices.notify('Press Ctrl-C again to exit');
  };

  /** Cancels the running turn. @param queued also the queued ones @returns their messages, oldest first */
  async cancel({ queued = false } = {}): Promise<Submission[]> {
    const { chat, waiting } = this.store.get();
    const { cancelled, dropped = [] } =
      chat === null ? { cancelled: false } : await this.client.cancelTurn(chat.id, { queued });
    if (!cancelled) this.notices.notify('No turn is running.');
    if (dropped.length > 0) await this.#outbox.recount();
    return dropped.map(({ message_id, text }) => {
      const own = waiting.find(each => each.message_id === message_id);
      return own?.sent ?? { text, attachments: [] };
    });
  }

  /** Shows a chat. @param page `again` if its history or directory has changed */
  open(chat: Chat, page: 'new' | 'again' = 'new'): void {
    if (page === 'again') this.chats.reopen(chat);
    else this.chats.show(chat);
    void this.shownChat.readSpend();
  }

  /** Exits the program. Turns continue. */
  quit = (): void => this.#leave();

  /** Saves the draft, denies open operations, and closes all connections. */
  async close(): Promise<void> {
    this.input.keep();
    await this.chats.close();
    this.#closing.abort();
  }

  #command(text: string): void {
    void this.notices.attempt(() => this.#runCommand(this, { text, attachments: [] }));
  }

  #searchHistory(): void {
    const texts = [...new Set(this.store.get().editor.history.toReversed())];
    const entries = texts.map(text => ({ id: text, label: text.replace(/\s+/g, ' ') }));
    this.panels.pick({ title: 'Previous messages', entries, empty: 'no matches' }, ({ id }) =>
      this.input.replace(id),
    );
  }

  /** Handles events of the chat on the screen that its snapshot does not contain. */
  #take(event: TurnEvent): void {
    switch (event.type) {
      case 'usage':
        this.store.set({ usage: { model: event.model, prompt_tokens: event.prompt_tokens } });
        void this.shownChat.readSpend();
        return;
      case 'agent_usage':
        void this.shownChat.readSpend();
        return;
      case 'done':
        void this.shownChat.readSpend();
        void this.notices.attempt(() => this.#outbox.recount());
        return;
      case 'error':
        if (event.replayed !== true) this.notices.notify(event.message, 'error');
        return;
    }
  }
}
