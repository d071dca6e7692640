/**
 * Shows each approval or question of the kernel once in its conversation. The owner answers there with a message such as
 * `#3 allow`.
 */
import type { RunContext } from '@chat-kernel/module-sdk';
import {
  describeConsent,
  errorDetail,
  factsOfDecision,
  followRequests,
  isRetryable,
  operationParams,
  type PendingRequest,
  requestKey,
  type SurfaceStore,
} from '@chat-kernel/module-sdk/surface';

export const REQUEST_TABLE = `
  CREATE TABLE asked (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL, chat_id TEXT NOT NULL,
    request_id TEXT NOT NULL, question INTEGER, is_open INTEGER NOT NULL DEFAULT 1) STRICT;`;

interface AskedRow {
  /** The number that precedes the owner's answer. */
  id: number;
  key: string;
  conversation: string;
  chat_id: string;
  request_id: string;
  /** Null for an operation, which needs a decision. */
  question: number | null;
}

interface RequestServices {
  store: SurfaceStore;
  owner: string | null;
  conversationOf(chat_id: string): string | undefined;
  /** Adds a text to the outbox. */
  say(conversation: string, text: string): void;
}

export class Requests {
  readonly #services: RequestServices;
  readonly #context: RunContext;

  constructor(services: RequestServices, context: RunContext) {
    this.#services = services;
    this.#context = context;
  }

  /** Shows requests until the module stops. */
  follow(): Promise<void> {
    const { store, say } = this.#services;
    return followRequests<AskedRow>(
      {
        show: request => this.#show(request),
        shown: () =>
          new Map(
            store.all<AskedRow>('SELECT * FROM asked WHERE is_open = 1').map(asked => [asked.key, asked]),
          ),
        close: ({ id, conversation }, how) =>
          store.transaction(() => {
            store.run('UPDATE asked SET is_open = 0 WHERE id = ?', id);
            say(conversation, `#${id}: ${how}`);
          }),
      },
      this.#context,
    );
  }

  #show(request: PendingRequest): void {
    const { store, owner, conversationOf, say } = this.#services;
    const { id: request_id, chat_id, question = null } = request;
    const conversation = conversationOf(chat_id);
    const text = wordsOf(request);
    if (owner === null || conversation === undefined || text === undefined) return;
    store.transaction(() => {
      const key = requestKey(request);
      const sql =
        'INSERT OR IGNORE INTO asked (key, conversation, chat_id, request_id, question) VALUES (?, ?, ?, ?, ?)';
      if (store.run(sql, key, conversation, chat_id, request_id, question) === 0) return;
      const { id } = store.get<AskedRow>('SELECT * FROM asked WHERE key = ?', key)!;
      say(conversation, `#${id} ${text}\n\nTo answer, write #${id} and your answer.`);
    });
  }

  /** Resolves with the reply to a message that answers a request ('' for no reply); undefined for all other messages. */
  async answer(message: { sender: string; conversation: string; text: string }): Promise<string | undefined> {
    const { store, owner } = this.#services;
    const [, number, answer = ''] = /^#(\d+)\s+(.+)$/s.exec(message.text.trim()) ?? [];
    if (number === undefined || message.sender !== owner) return undefined;
    const sql = 'SELECT * FROM asked WHERE id = ? AND conversation = ?';
    const asked = store.get<AskedRow>(sql, Number(number), message.conversation);
    if (asked === undefined) return undefined;
    const { chat_id, request_id, question } = asked;
    const decision = answer.trim().toLowerCase();
    if (question === null && !isOffered(decision)) return `#${number}: This is not one of the answers.`;
    const body = question === null ? { decision } : { question, answer };
    try {
      await this.#context.kernel.answerRequest(chat_id, { id: request_id, ...body });
      // The kernel reports the outcome in an event.
      return '';
    } catch (error) {
      if (isRetryable(error)) throw error;
      return `#${number}: ${errorDetail(error)}`;
    }
  }
}

/** Only decisions about the one operation, because the message shows nothing else. Used for the answer, too. */
const isOffered = (decision: string): boolean => factsOfDecision(decision)?.lasts === 'once';

/** Formats a request; undefined if it needs no decision. */
function wordsOf({ event, question = 0 }: PendingRequest): string | undefined {
  if (event.type === 'client_op' || event.type === 'consent_request') {
    const offered = (event.decisions ?? []).filter(isOffered);
    if (offered.length === 0) return undefined;
    const params = Object.entries(operationParams(event)).map(([name, value]) => `${name}: ${exact(value)}`);
    const why = event.type === 'consent_request' ? describeConsent(event).map(exact) : [];
    return [`May this run: ${event.action}?`, ...why, ...params, `Answers: ${offered.join(', ')}`].join('\n');
  }
  if (event.type !== 'tool_call') return undefined;
  const { questions = [] } = event.input as { questions?: Question[] };
  const asked = questions[question];
  if (asked === undefined) return undefined;
  return [asked.question, ...(asked.options ?? []).map(({ label }) => `- ${label}`)].join('\n');
}

interface Question {
  question: string;
  options?: { label: string }[];
}

/** Escapes invisible characters, which could make a command look like another one. */
const exact = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
