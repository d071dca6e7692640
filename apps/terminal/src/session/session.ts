/** The controller: what the owner does becomes calls, what comes of them becomes state. */
import {
  type Chat,
  type ChatSnapshot,
  KernelApiError,
  type KernelClient,
  type TurnEvent,
} from '@chat-kernel/client';
import { restored } from '../chats/message.ts';
import { OpenChats } from '../chats/open-chats.ts';
import { Outbox } from '../chats/outbox.ts';
import type { QuestionAnswer, QuestionRequest } from '../dialogs/question.ts';
import { createEditor, type EditorState, type Submission, submission, submitted } from '../editor/state.ts';
import type { InputHistory } from '../machine/input-history.ts';
import type { AppState, Notice } from '../state/app-state.ts';
import { Store } from '../state/store.ts';
import { recount } from '../state/waiting-messages.ts';
import { isGone, sentenceOf } from './error-sentence.ts';
import { followNews } from './kernel-follower.ts';
import { Panels } from './panels.ts';

export interface SessionSettings {
  hands: 'ask' | 'reads' | 'none';
  /** Absolute. */
  workdir: string;
  model?: string | undefined;
}

/** Does what a line says that begins with a slash; throws what the owner should read. */
export type RunCommand = (session: ChatSession, sent: Submission) => Promise<void>;

/** Two of ctrl-c within this time leave the program. */
const TWICE_MS = 2000;

const NOTHING: ChatSnapshot = {
  items: [],
  has_older: false,
  loading_older: false,
  loaded: true,
  turn: null,
  busy: false,
  requests: [],
  plan: [],
  connection: { state: 'open' },
  failure: null,
};

export class ChatSession {
  readonly client: KernelClient;
  readonly store: Store<AppState>;
  readonly settings: SessionSettings;
  readonly chats: OpenChats;
  /** Resolves when the owner leaves. */
  readonly left: Promise<void>;
  readonly panels: Panels;
  readonly #outbox: Outbox;
  readonly #leave: () => void;
  readonly #history: InputHistory;
  readonly #runCommand: RunCommand;
  readonly #closing = new AbortController();
  #interrupted = Number.NEGATIVE_INFINITY;
  #typed = '';
  #readingSpend = false;
  #spendAsked = false;

  constructor(
    client: KernelClient,
    settings: SessionSettings,
    history: InputHistory,
    runCommand: RunCommand,
  ) {
    this.#runCommand = runCommand;
    this.client = client;
    this.settings = settings;
    this.#history = history;
    const left = Promise.withResolvers<void>();
    this.left = left.promise;
    this.#leave = left.resolve;
    const { model, workdir } = settings;
    this.store = new Store<AppState>({
      page: 0,
      chat: null,
      snapshot: NOTHING,
      wanted: model === undefined ? {} : { model },
      workdir,
      models: null,
      icons: new Map(),
      spend: null,
      usage: null,
      sleep: null,
      editor: createEditor(),
      approvals: [],
      panel: null,
      notice: null,
      waiting: [],
      sending: 0,
      line: { state: 'connecting' },
      lost: false,
      turn: null,
    });
    this.chats = new OpenChats(client, this.store, {
      hands: settings.hands,
      onEvent: event => this.#hear(event),
      onError: this.fail,
    });
    this.panels = new Panels(this.store, this.attempt);
    this.#outbox = new Outbox(client, this.store, this.chats, {
      hands: settings.hands !== 'none',
      onRefused: (sent, error) => {
        this.fail(error);
        this.restore(sent);
      },
    });
    void this.attempt(() => this.store.set({ editor: createEditor(history.load()) }));
    void followNews(client, this.store, this.#closing.signal, this.fail);
  }

  /** Leaves the program; turns go on. */
  quit = (): void => this.#leave();

  /** Keeps what is in the input, denies what still asks, and hangs up. */
  async close(): Promise<void> {
    this.#keep(this.store.get().editor);
    await this.chats.close();
    this.#closing.abort();
  }

  notify = (text: string, kind: Notice['kind'] = 'info'): void => this.store.set({ notice: { text, kind } });

  /** A call that did not work is a line above the input. */
  fail = (error: unknown): void =>
    this.store.set({
      notice: { text: sentenceOf(error, this.client.url), kind: 'error', passing: isGone(error) },
    });

  /** Whatever goes wrong in it is told. */
  attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  };

  edit = (change: (state: EditorState) => EditorState): void => {
    const { editor, notice } = this.store.get();
    const next = change(editor);
    if (next === editor) return;
    if (next.text === '') this.#typed = editor.text;
    const told = notice?.kind === 'info' ? { notice: null } : {};
    this.store.set({ editor: next, ...told });
  };

  submit = (sent: Submission): void => {
    this.store.set({ notice: null });
    // As in a shell: what begins with a space is not kept.
    if (!this.#typed.startsWith(' ')) void this.attempt(() => this.#history.add(sent.text));
    const isCommand = sent.attachments.length === 0 && /^\/[a-z]*(\s|$)/i.test(sent.text);
    if (isCommand) void this.attempt(() => this.#runCommand(this, sent));
    else this.#outbox.send(sent);
  };

  /** Puts back what was not taken. */
  restore = (sent: Submission): void => this.edit(state => restored(state, sent));

  escape = (): void => {
    if (this.store.get().snapshot.busy) void this.attempt(() => this.cancel());
  };

  /** ctrl-c: once it cancels the turn, or empties the input; twice it leaves. */
  interrupt = (): void => {
    const now = Date.now();
    if (now - this.#interrupted < TWICE_MS) {
      this.quit();
      return;
    }
    this.#interrupted = now;
    const { editor, snapshot } = this.store.get();
    if (editor.text !== '') {
      this.#keep(editor);
      this.edit(submitted);
    }
    if (editor.text === '' && snapshot.busy) void this.attempt(() => this.cancel());
    this.notify('Ctrl-C once more leaves');
  };

  /** Ends the running turn. @param queued also those that wait */
  async cancel({ queued = false } = {}): Promise<void> {
    const { chat } = this.store.get();
    if (chat === null) return this.notify('Nothing runs.');
    const { cancelled } = await this.client.cancelTurn(chat.id, { queued });
    if (!cancelled) this.notify('Nothing runs.');
    if (queued) await recount(this.client, this.store);
  }

  /** Shows a chat. @param page `again` where its past has changed */
  open(chat: Chat, page: 'new' | 'again' = 'new'): void {
    if (page === 'again') this.chats.reopen(chat);
    else this.chats.show(chat);
    void this.#readSpend();
  }

  /** An empty screen; the chat itself is made by its first message. */
  startNew(): void {
    this.chats.clear(NOTHING);
  }

  /** Changes the chat on the screen by a call that answers it. */
  async change(call: (id: string) => Promise<Chat>): Promise<void> {
    const { chat } = this.store.get();
    if (chat !== null) this.store.set({ chat: await call(chat.id) });
  }

  answer = (request: QuestionRequest, answer: QuestionAnswer): void => {
    const { chat } = this.store.get();
    if (chat === null) return;
    const body = { id: request.id, question: request.index, ...answer };
    void this.attempt(async () => {
      await this.client.answerRequest(chat.id, body).catch(error => {
        // Somebody else was first: the dialog closes by itself.
        if (!(error instanceof KernelApiError && OVER.includes(error.code))) throw error;
      });
    });
  };

  /** What was typed and is not sent comes again by ↑. */
  #keep(editor: EditorState): void {
    if (!editor.text.startsWith(' ')) void this.attempt(() => this.#history.add(submission(editor).text));
  }

  #hear(event: TurnEvent): void {
    if (event.type === 'usage') {
      const { model, prompt_tokens } = event;
      this.store.set({ usage: { model, prompt_tokens } });
    }
    if (event.type === 'error' && event.replayed !== true) this.notify(event.message, 'error');
    if (event.type === 'usage' || event.type === 'done') void this.#readSpend();
    if (event.type === 'done') void this.attempt(() => recount(this.client, this.store));
  }

  /** Once at a time, and again where it was asked for meanwhile: an answer may be older than the question. */
  async #readSpend(): Promise<void> {
    this.#spendAsked = true;
    if (this.#readingSpend) return;
    this.#readingSpend = true;
    try {
      while (this.#spendAsked) {
        this.#spendAsked = false;
        const { chat } = this.store.get();
        const spend = chat && (await this.client.getSpend(chat.id));
        if (this.store.get().chat?.id === chat?.id) this.store.set({ spend });
      }
    } catch (error) {
      // Where the kernel is gone, the status says so, and the next turn asks again.
      if (error instanceof KernelApiError) this.fail(error);
    } finally {
      this.#readingSpend = false;
    }
  }
}

const OVER = ['already_resolved', 'unknown_request'];
