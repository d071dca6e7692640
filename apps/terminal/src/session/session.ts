/** The controller of the chat: what the owner does becomes calls to the kernel, and their results become state. */
import type { Chat, KernelClient, TurnEvent } from '@chat-kernel/client';
import { ApprovalDialogs } from '../chats/approvals.ts';
import type { Own } from '../chats/hands.ts';
import { OpenChats } from '../chats/open-chats.ts';
import { Outbox } from '../chats/outbox.ts';
import { ShownChat } from '../chats/shown-chat.ts';
import type { EditorState, Submission } from '../editor/state.ts';
import type { OwnerAction } from '../editor/step.ts';
import { type HandsPolicy, machineOf, placeOf } from '../machine/hands-policy.ts';
import type { InputHistory } from '../machine/input-history.ts';
import { type Mode, modeAfter } from '../machine/modes.ts';
import { ownCommands } from '../machine/own-commands.ts';
import { type AppState, initialState, type ModeState, type Slice } from '../state/app-state.ts';
import { StateStore } from '../state/store.ts';
import { KernelFollower } from './kernel-follower.ts';
import { MessageInput } from './message-input.ts';
import { NewChat } from './new-chat.ts';
import { Notices } from './notices.ts';
import { OwnShell } from './own-shell.ts';
import { Panels } from './panels.ts';
import { SpendReader } from './spend-reader.ts';
import { endAfterStep } from './steering.ts';
import { TurnControls } from './turn-controls.ts';
import { Twice } from './twice.ts';
import { WaitingLine } from './waiting-line.ts';

interface SessionSettings {
  hands: HandsPolicy;
  own: Own;
  /** Absolute. */
  workdir: string;
  model?: string | undefined;
}

/** Runs a line that begins with a slash; throws errors whose messages are for the owner. */
type RunCommand = (session: ChatSession, sent: Submission) => Promise<void>;

export class ChatSession {
  readonly client: KernelClient;
  /** For reading: each slice of the state is written by one of the objects below. */
  readonly store: Pick<StateStore<AppState>, 'get' | 'subscribe'>;
  readonly notices: Notices;
  readonly input: MessageInput;
  readonly panels: Panels;
  readonly newChat: NewChat;
  readonly shownChat: ShownChat;
  readonly kernel: KernelFollower;
  readonly chats: OpenChats;
  readonly turns: TurnControls;
  readonly line: WaitingLine;
  readonly shell: OwnShell;
  /** The slash commands of the owner's own folder. */
  readonly ownCommands = ownCommands(process.env);
  /** Resolves when the owner leaves. */
  readonly left: Promise<void>;
  readonly #state: Slice<ModeState>;
  readonly #outbox: Outbox;
  readonly #spend: SpendReader;
  readonly #leave: () => void;
  readonly #runCommand: RunCommand;
  readonly #closing = new AbortController();
  /** Of ctrl-c, which leaves the program. */
  readonly #interrupts = new Twice();
  /** Of Esc while nothing runs, which goes back. */
  readonly #escapes = new Twice();

  constructor(
    client: KernelClient,
    { hands, own, workdir, model }: SessionSettings,
    history: InputHistory,
    runCommand: RunCommand,
  ) {
    const store = new StateStore<AppState>(initialState(model === undefined ? {} : { model }, workdir));
    const left = Promise.withResolvers<void>();
    this.client = client;
    this.store = store;
    this.#state = store;
    this.left = left.promise;
    this.#leave = left.resolve;
    this.#runCommand = runCommand;
    this.notices = new Notices(store, client.url);
    this.input = new MessageInput(store, history, this.notices);
    this.panels = new Panels(store, this.notices.attempt);
    this.newChat = new NewChat(store);
    this.shownChat = new ShownChat(store);
    this.kernel = new KernelFollower(client, store, this.shownChat, this.notices, chatId =>
      this.chats.catchUp(chatId),
    );
    const approvals = new ApprovalDialogs(client, store, this.notices.fail);
    this.chats = new OpenChats(client, store.get, approvals, this.shownChat, {
      hands,
      own,
      onEvent: event => this.#take(event),
      onConnection: connection => this.kernel.seen(connection),
      onError: this.notices.fail,
    });
    this.#outbox = new Outbox(client, store, this.chats, {
      placeOf: workdir => placeOf(hands, workdir),
      machine: machineOf(hands),
      uploads: own.uploads,
      onFile: name => this.notices.notify(`${name} goes to the kernel …`),
      onRefused: (sent, error) => {
        this.notices.fail(error);
        this.input.restore(sent);
      },
    });
    this.turns = new TurnControls(client, store.get, this.#outbox, this.notices);
    this.line = new WaitingLine(client, store.get, this.chats, this.#outbox, this.input);
    this.shell = new OwnShell(store.get, this.input, this.panels, this.notices);
    this.#spend = new SpendReader(client, store.get, this.shownChat, this.notices.fail);
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

  /** Sends a message, whatever it begins with. */
  send = (sent: Submission): void => this.#outbox.send(sent);

  /** Sends a message that goes in after the present step of the turn. */
  steer = (sent: Submission): void => {
    this.notices.clear();
    this.input.remember(sent);
    const view = this.chats.shown?.view;
    this.send(sent);
    if (view === undefined || !view.getSnapshot().busy) return;
    this.notices.notify('It goes in after the present step.');
    void this.notices.attempt(() => endAfterStep(view, () => this.client.cancelTurn(view.chatId)));
  };

  act = (action: Exclude<OwnerAction, 'editor' | 'suspend'>): void => {
    if (action === 'help') this.panels.help();
    else if (action === 'mode') this.setMode(modeAfter(this.store.get().mode));
    else this.#searchHistory();
  };

  setMode(mode: Mode): void {
    this.#state.set({ mode });
  }

  /** Changes the input: whoever types does not mean to leave. */
  edit = (change: (state: EditorState) => EditorState): void => {
    this.#interrupts.forget();
    this.input.edit(change);
  };

  /** Handles Esc: it ends the turn; twice where none runs, it goes back to before a message. */
  escape = (): void => {
    const { snapshot, chat, editor } = this.store.get();
    if (snapshot.busy) return void this.notices.attempt(() => this.turns.cancel());
    const isSecond = this.#escapes.press();
    if (chat === null || editor.text !== '') return;
    if (isSecond) this.#command('/rewind');
    else this.notices.notify('Esc once more goes back to before a message');
  };

  /** Handles ctrl-c: the first press empties the input, or cancels the turn; another right after it leaves. */
  interrupt = (): void => {
    if (this.#interrupts.press()) {
      this.quit();
      return;
    }
    const { editor, snapshot } = this.store.get();
    if (this.shell.end()) return;
    if (editor.text !== '') this.input.discard();
    else if (snapshot.busy) void this.notices.attempt(() => this.turns.cancel());
    this.notices.notify('Ctrl-C once more leaves');
  };

  /** Puts a chat on the screen. @param page `again` where its past or its directory has changed */
  open(chat: Chat, page: 'new' | 'again' = 'new'): void {
    if (page === 'again') this.chats.reopen(chat);
    else this.chats.show(chat);
    void this.#spend.read();
  }

  /** Leaves the program; turns go on. */
  quit = (): void => this.#leave();

  /** Keeps what is in the input, denies what still asks, and ends all connections. */
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
    this.panels.pick({ title: 'Sent before', entries, empty: 'nothing like that' }, ({ id }) =>
      this.input.replace(id),
    );
  }

  /** Takes an event of the chat on the screen, as far as its snapshot does not show it. */
  #take(event: TurnEvent): void {
    switch (event.type) {
      case 'usage':
        this.shownChat.takeUsage(event);
        void this.#spend.read();
        return;
      case 'done':
        void this.#spend.read();
        void this.notices.attempt(() => this.#outbox.recount());
        return;
      case 'error':
        if (event.replayed !== true) this.notices.notify(event.message, 'error');
        return;
      case 'text_delta':
      case 'thinking_delta':
      case 'tool_call':
      case 'tool_result':
      case 'tool_progress':
      case 'client_op':
      case 'extra_tool_call':
      case 'request_resolved':
      case 'compacting':
      case 'turn_squeezed':
      case 'queued':
      case 'sleeping':
      case 'image':
      case 'plan':
      case 'item_started':
      case 'item_delta':
      case 'item_completed':
      case 'reset':
        return;
      default:
        // A newer kernel may send events of other types.
        event satisfies never;
    }
  }
}
