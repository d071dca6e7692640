/**
 * Runs the surface NAME. Each step is stored before the next one begins, so a restarted process continues where the last one
 * stopped: each message is answered once, and its answer is sent until it is delivered.
 */
import { randomUUID } from 'node:crypto';
import { defineModule, loadConfig, type RunContext, serve, type TurnStart } from '@chat-kernel/module-sdk';
import {
  type Begun,
  Chats,
  databaseFile,
  Inbox,
  Outbox,
  type OutboxState,
  pause,
  postTurn,
  SurfaceStore,
} from '@chat-kernel/module-sdk/surface';
import { hasArrived, type Incoming, type Outgoing, Refused, receive, Settings, send } from './messenger.ts';
import { REQUEST_TABLE, Requests } from './requests.ts';

const UNSENT = "state IN ('waiting', 'sending')";
const RECEIVE_AGAIN_MS = 5000;
const PAUSES = { firstMs: 500, maxMs: 60_000 };
/** To change a table, add SQL for the next version. Never change SQL that has already run. */
const VERSIONS = [
  `CREATE TABLE incoming (
     id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, key TEXT NOT NULL, turn_key TEXT NOT NULL, sender TEXT NOT NULL,
     text TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new', request TEXT, posted_at INTEGER, problem TEXT,
     UNIQUE (conversation, key)) STRICT;
   CREATE INDEX incoming_state ON incoming (state, id);
   CREATE TABLE outgoing (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL, text TEXT NOT NULL,
     state TEXT NOT NULL DEFAULT 'waiting', problem TEXT) STRICT;
   CREATE INDEX outgoing_state ON outgoing (state, conversation, number);
   CREATE TABLE chat (conversation TEXT PRIMARY KEY, chat_id TEXT NOT NULL UNIQUE) STRICT;
   ${REQUEST_TABLE}`,
];

interface IncomingRow {
  id: number;
  /** The idempotency key of its turn. */
  turn_key: string;
  conversation: string;
  sender: string;
  text: string;
  /** `posted`: the kernel has accepted it. `done` and `failed` are final. */
  state: 'new' | 'posted' | 'done' | 'failed';
  /** The JSON body of the request. A repeated request must have the same body. */
  request: string | null;
  posted_at: number | null;
}

type OutgoingRow = Outgoing & { state: OutboxState };

class Surface {
  readonly #context: RunContext;
  readonly #settings: Settings;
  readonly #store: SurfaceStore;
  readonly #chats: Chats;
  readonly #requests: Requests;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox<OutgoingRow, void, string>;

  constructor(context: RunContext, settings: Settings, file: string) {
    const store = new SurfaceStore(file, VERSIONS);
    this.#context = context;
    this.#settings = settings;
    this.#store = store;
    this.#chats = new Chats(store, { table: 'chat', key: ['conversation'], chat: 'chat_id' });
    this.#inbox = new Inbox(
      {
        open: () =>
          store
            .all<IncomingRow>("SELECT id FROM incoming WHERE state IN ('new', 'posted') ORDER BY id")
            .map(({ id }) => id),
        begin: (id, signal) => this.#begin(this.#incoming(id), signal),
        fail: (id, problem) => this.#end(id, 'This message could not be answered.', problem),
      },
      context.log,
    );
    this.#requests = new Requests(
      {
        store,
        owner: settings.owner,
        conversationOf: chat_id => this.#chats.keyOf<{ conversation: string }>(chat_id)?.conversation,
        say: (conversation, text) => this.#say(conversation, text),
      },
      context,
    );
    // Process conversations independently.
    this.#outbox = new Outbox(
      {
        pauses: PAUSES,
        lanes: () =>
          store
            .all<OutgoingRow>(`SELECT DISTINCT conversation FROM outgoing WHERE ${UNSENT}`)
            .map(each => each.conversation),
        next: lane =>
          store.get(`SELECT * FROM outgoing WHERE conversation = ? AND ${UNSENT} ORDER BY number`, lane),
        hasArrived: async message => message.state === 'sending' && (await hasArrived(settings, message)),
        send: ({ id, conversation, text }) => send(settings, { id, conversation, text }),
        failureOf: (error: unknown) => {
          const { message: reason } = error as Error;
          if (!(error instanceof Refused)) return { state: 'sending', reason, lane: 'retry' };
          context.log.warn(`The messenger refused a message: ${reason}`);
          return { state: 'failed', reason, lane: 'continue' };
        },
        mark: ({ id }, state, { reason = null }) =>
          store.run('UPDATE outgoing SET state = ?, problem = ? WHERE id = ?', state, reason, id) > 0,
      },
      context,
    );
  }

  /** Runs until the module stops. */
  async run(): Promise<void> {
    const { signal } = this.#context;
    void this.#outbox.flush();
    await Promise.all([this.#receive(), this.#inbox.run(signal), this.#requests.follow()]);
  }

  async #receive(): Promise<void> {
    const { signal, log } = this.#context;
    while (!signal.aborted) {
      try {
        await receive(this.#settings, message => this.#keep(message), signal);
      } catch (error) {
        log.warn(`Messages cannot be received: ${(error as Error).message}`);
      }
      await pause(RECEIVE_AGAIN_MS, signal);
    }
  }

  /** Stores a message. Ignores repeated messages. */
  #keep({ id, conversation, from, text }: Incoming): void {
    const sql =
      'INSERT OR IGNORE INTO incoming (conversation, key, turn_key, sender, text) VALUES (?, ?, ?, ?, ?)';
    this.#store.run(sql, conversation, id, randomUUID(), from, text);
    this.#inbox.wake();
  }

  #incoming(id: number): IncomingRow {
    return this.#store.get('SELECT * FROM incoming WHERE id = ?', id)!;
  }

  /** Posts a message, and follows its turn while further messages are processed. */
  async #begin(message: IncomingRow, signal: AbortSignal): Promise<Begun | undefined> {
    const { id, conversation } = message;
    const reply = message.request === null ? await this.#requests.answer(message) : undefined;
    if (reply !== undefined) return void this.#end(id, reply);
    if (this.#inbox.isFull) return undefined;
    message.request ??= await this.#request(message);
    this.#store.run('UPDATE incoming SET request = ? WHERE id = ?', message.request, id);
    const chat_id = await this.#chatOf(conversation);
    const newChat = () => {
      this.#chats.forget(chat_id);
      return this.#chatOf(conversation);
    };
    const request: TurnStart = JSON.parse(message.request);
    const turn = { chat_id, request, key: message.turn_key, since: message.posted_at };
    const { kernel } = this.#context;
    const isNew = message.state === 'new';
    const stream = await postTurn(turn, { kernel, signal, newChat: isNew ? newChat : undefined });
    const sql = "UPDATE incoming SET state = 'posted', posted_at = coalesce(posted_at, ?) WHERE id = ?";
    this.#store.run(sql, Date.now(), id);
    return {
      rest: stream.result().then(({ status, text, error }) => {
        if (status === 'completed') return this.#end(id, text);
        this.#end(id, `${text}\n\nThe answer is not complete.`.trim(), error?.message ?? status);
      }),
    };
  }

  /** The owner has all permissions. All others are people whom the owner can trust (PATCH /v1/persons/{id}). */
  async #request({ sender, text }: IncomingRow): Promise<string> {
    if (sender === this.#settings.owner)
      return JSON.stringify({ text, questions: true, consents: true } satisfies TurnStart);
    const person = await this.#context.kernel.resolvePerson({ surface: 'NAME', external_id: sender });
    return JSON.stringify({ text, sender, person_id: person.id } satisfies TurnStart);
  }

  async #chatOf(conversation: string): Promise<string> {
    const { kernel } = this.#context;
    const known = this.#chats.find(conversation);
    if (known !== undefined) return known;
    // The process may have crashed after it created a chat.
    const [last] = (await kernel.listChats({ shelf: 'NAME', limit: 1 })).chats;
    const isFree = last?.last_message_at === null && this.#chats.keyOf(last.id) === undefined;
    const { id } = last && isFree ? last : await kernel.createChat({ shelf: 'NAME', consent: 'ask' });
    this.#chats.bind(id, conversation);
    return id;
  }

  /** Finishes a message and adds its answer to the outbox. @param problem the reason of a failure */
  #end(id: number, answer: string, problem: string | null = null): void {
    this.#store.transaction(() => {
      const sql = 'UPDATE incoming SET state = ?, problem = ? WHERE id = ?';
      this.#store.run(sql, problem === null ? 'done' : 'failed', problem, id);
      this.#say(this.#incoming(id).conversation, answer);
    });
  }

  /** Adds a text to the outbox. */
  #say(conversation: string, text: string): void {
    if (text === '') return;
    const sql = 'INSERT INTO outgoing (id, conversation, text) VALUES (?, ?, ?)';
    this.#store.run(sql, randomUUID(), conversation, text);
    // Wake the outbox after the transaction.
    setImmediate(() => this.#outbox.flush());
  }
}

const config = await loadConfig(Settings);
const file = databaseFile(config.data_dir, 'NAME.sqlite');
await serve(
  defineModule({
    name: 'NAME',
    version: '0.1.0',
    about: 'the messenger NAME',
    start: context => void new Surface(context, config.module, file).run(),
  }),
  { config },
);
