/** The client of the tests: every answer it gets is held against the kernel's own document. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Chat, Event, HandsEvent, Item, KernelEvent, TurnRequest } from '@chat-kernel/protocol';
import { ApiDocument } from './document.ts';
import { EventStream } from './event-stream.ts';
import { type Asked, bytesOf, exchange } from './http.ts';
import { refuseSecrets } from './secrets.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, or the bytes of anything else; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at every part of the body as it is
  body: any;
}
type Headers = Record<string, string>;
type Body = Omit<Partial<TurnRequest>, 'on_busy'> & Record<string, unknown>;

export class ApiClient {
  readonly url: string;
  readonly #program: string;
  #document: ApiDocument | undefined;

  /** @param program the checkout that answers; default: this one */
  constructor(url: string, program = '') {
    this.url = url;
    this.#program = program;
  }

  get = (path: string, headers?: Headers) => this.ask('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Headers) => this.ask('POST', path, body, headers);
  put = (path: string, body?: unknown) => this.ask('PUT', path, body);
  patch = (path: string, body?: unknown) => this.ask('PATCH', path, body);
  delete = (path: string) => this.ask('DELETE', path);

  /** A JSON request to a documented address. Throws where the answer is not as documented. */
  async ask(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    // Throws where it is not there: a test may mistype an address.
    (await this.document()).operation(method, path);
    const answer = await this.raw(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    refuseHidden(answer.body, path);
    return answer;
  }

  /**
   * Any request at all. What is an error must be a problem (API-8), whatever was asked; an address of the document
   * answers as documented; nothing tells a secret (API-7).
   */
  async raw(path: string, asked: Asked): Promise<Answer> {
    const incoming = await exchange(this.url + path, asked);
    const type = incoming.headers['content-type'] ?? '';
    if (type === 'text/event-stream') {
      incoming.destroy();
      throw new Error(`${asked.method} ${path} answered with a stream`);
    }
    const bytes = await bytesOf(incoming);
    const asking = `${asked.method} ${path}`;
    refuseSecrets(incoming.rawHeaders.join('\n'), asking);
    refuseSecrets(bytes, asking);
    const body =
      bytes.length === 0 ? undefined : /[/+]json\b/.test(type) ? JSON.parse(bytes.toString()) : bytes;
    const answer = { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
    // A monitor reads one word, and asks nothing else.
    if (answer.status >= 400 && asked.method !== 'HEAD' && path !== '/readyz') checkProblem(answer);
    await this.#check(path, asked.method, answer);
    return answer;
  }

  /** Posts a message; resolves once its stream is open. Throws where none opens. */
  turn(chatId: string, body: Body, headers: Headers = {}): Promise<EventStream> {
    const asked = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    return this.#stream(`/v1/chats/${chatId}/messages`, asked);
  }

  /** Watches a chat. `query` such as `?follow=true`. Throws where there is nothing to watch. */
  live(chatId: string, query = '', headers: Headers = {}): Promise<EventStream> {
    return this.#stream(`/v1/chats/${chatId}/live${query}`, { method: 'GET', headers });
  }

  /** Watches all chats. */
  async events(headers: Headers = {}): Promise<EventStream<KernelEvent>> {
    const { incoming, document } = await this.#open('/v1/events', { method: 'GET', headers });
    return new EventStream<KernelEvent>(incoming, document, 'KernelEvent');
  }

  /** Stands by as a machine. `query` such as `?client_id=a&name=laptop`. */
  async hands(query: string): Promise<EventStream<HandsEvent>> {
    const { incoming, document } = await this.#open(`/v1/hands/live${query}`, { method: 'GET' });
    return new EventStream<HandsEvent>(incoming, document, 'HandsEvent');
  }

  /** A turn from its message to its `done`. */
  async say(chatId: string, text: string, more: Body = {}): Promise<Event[]> {
    return (await this.turn(chatId, { text, ...more })).all();
  }

  async newChat(fields: object = {}): Promise<Chat> {
    return (await this.post('/v1/chats', fields)).body;
  }

  /** The newest 500 messages' items. */
  async items(chatId: string): Promise<Item[]> {
    return (await this.get(`/v1/chats/${chatId}/items?limit=500`)).body.items;
  }

  /** The kernel's own API document; fetched once. */
  async document(): Promise<ApiDocument> {
    this.#document ??= await documentOf(this.url, this.#program);
    return this.#document;
  }

  /** Pages, preflights and addresses that there are not have nothing to be held against, and a HEAD has no body. */
  async #check(path: string, method: string, { status, headers, body }: Answer): Promise<void> {
    const document = await this.document();
    if (!document.describes(method, path)) return;
    const contentType = headers['content-type']?.split(';')[0];
    document.checkAnswer({ method, path, status, contentType, body });
  }

  async #stream(path: string, asked: Asked): Promise<EventStream> {
    const { incoming, document } = await this.#open(path, asked);
    return new EventStream(incoming, document);
  }

  async #open(path: string, asked: Asked): Promise<{ incoming: IncomingMessage; document: ApiDocument }> {
    const document = await this.document();
    const incoming = await exchange(this.url + path, asked);
    const status = incoming.statusCode ?? 0;
    const contentType = incoming.headers['content-type'];
    if (status !== 200 || contentType !== 'text/event-stream') {
      throw new Error(`${path}: no stream but ${status} ${await bytesOf(incoming)}`);
    }
    document.checkAnswer({ method: asked.method, path, status, contentType, body: undefined });
    return { incoming, document };
  }
}

/** By the program that answers, which is mostly the same: compiling its schemas takes a while. */
const documents = new Map<string, Promise<ApiDocument>>();

function documentOf(url: string, program: string): Promise<ApiDocument> {
  const known = documents.get(program);
  if (known) return known;
  const fetched = exchange(`${url}/v1/openapi.json`, { method: 'GET' })
    .then(bytesOf)
    .then(bytes => new ApiDocument(JSON.parse(bytes.toString())));
  documents.set(program, fetched);
  return fetched;
}

/** Throws where an answer with an error status is not as all errors are (API-8). */
export function checkProblem({ status, headers, body }: Answer): void {
  const wrong =
    !/^application\/problem\+json(;|$)/.test(headers['content-type'] ?? '') ||
    body.status !== status ||
    body.request_id !== headers['x-request-id'] ||
    !['type', 'title', 'detail', 'code'].every(
      field => typeof body[field] === 'string' && body[field] !== '',
    );
  if (wrong) throw new Error(`${status} is no problem: ${JSON.stringify(headers)} ${JSON.stringify(body)}`);
}

/** Throws where an answer shows fields that the store keeps for the kernel alone. */
export function refuseHidden(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if ('internal' in value) throw new Error(`${path} shows what is internal: ${JSON.stringify(value)}`);
  for (const child of Object.values(value)) refuseHidden(child, path);
}
