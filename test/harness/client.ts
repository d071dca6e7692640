/** The HTTP client of the tests. It checks each response against the API document of the kernel. */
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Chat, Event, HandsEvent, Item, KernelEvent, TurnRequest } from '@chat-kernel/protocol';
import { ApiDocument } from './document.ts';
import { holdAnswer } from './document-client/answers.ts';
import { DocumentReader, resumes } from './document-client/stream.ts';
import { EventStream } from './event-stream.ts';
import { type Asked, bytesOf, exchange } from './http.ts';
import { refuseSecrets } from './secrets.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, or the bytes of any other body. Undefined if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read every part of the raw body
  body: any;
}
type Headers = Record<string, string>;
type Body = Omit<Partial<TurnRequest>, 'on_busy'> & Record<string, unknown>;

export class ApiClient {
  readonly url: string;
  readonly #program: string;
  #document: ApiDocument | undefined;

  /** @param program the checkout whose program responds; default: this one */
  constructor(url: string, program = '') {
    this.url = url;
    this.#program = program;
  }

  get = (path: string, headers?: Headers) => this.ask('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Headers) => this.ask('POST', path, body, headers);
  put = (path: string, body?: unknown) => this.ask('PUT', path, body);
  patch = (path: string, body?: unknown) => this.ask('PATCH', path, body);
  delete = (path: string) => this.ask('DELETE', path);

  /** Sends a JSON request to a documented address. Throws if the response does not match the document. */
  async ask(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    // Throws if the operation does not exist: a test may mistype an address.
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
   * Sends any request. An error response must be a problem (API-8), whatever the request was; a documented address
   * responds as documented; no response contains a secret (API-7).
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
    // The response of /readyz is a single word for monitors, not a problem.
    if (answer.status >= 400 && asked.method !== 'HEAD' && path !== '/readyz') checkProblem(answer);
    await this.#check(path, asked.method, answer);
    return answer;
  }

  /** Posts a message and resolves once its stream is open. Throws if no stream opens. */
  turn(chatId: string, body: Body, headers: Headers = {}): Promise<EventStream> {
    return this.#start(`/v1/chats/${chatId}/messages`, body, headers);
  }

  /** Retries a message like `turn`. `query` is, for example, `?files=restore`. */
  retry(
    chatId: string,
    messageId: string,
    body: Body = {},
    headers: Headers = {},
    query = '',
  ): Promise<EventStream> {
    return this.#start(`/v1/chats/${chatId}/messages/${messageId}/retry${query}`, body, headers);
  }

  #start(path: string, body: Body, headers: Headers): Promise<EventStream> {
    const asked = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    return this.#stream(path, asked);
  }

  /** Watches a chat. `query` is, for example, `?follow=true`. Throws if there is nothing to watch. */
  live(chatId: string, query = '', headers: Headers = {}): Promise<EventStream> {
    return this.#stream(`/v1/chats/${chatId}/live${query}`, { method: 'GET', headers });
  }

  /** Watches all chats. */
  async events(headers: Headers = {}): Promise<EventStream<KernelEvent>> {
    const { incoming, document } = await this.#open('/v1/events', { method: 'GET', headers });
    return new EventStream<KernelEvent>(incoming, document, 'KernelEvent');
  }

  /** Connects as a stand-by machine. `query` is, for example, `?client_id=a&name=laptop`. */
  async hands(query: string, headers: Headers = {}): Promise<EventStream<HandsEvent>> {
    const clientId = new URLSearchParams(query).get('client_id') ?? '';
    const { incoming, document } = await this.#open(`/v1/hands/live${query}`, {
      method: 'GET',
      headers: { 'x-client-id': encodeURIComponent(clientId), ...headers },
    });
    return new EventStream<HandsEvent>(incoming, document, 'HandsEvent');
  }

  /** Runs a turn from its message to its `done`. */
  async say(chatId: string, text: string, more: Body = {}): Promise<Event[]> {
    return (await this.turn(chatId, { text, ...more })).all();
  }

  async newChat(fields: object = {}): Promise<Chat> {
    return (await this.post('/v1/chats', fields)).body;
  }

  /** Returns the items of the newest 500 messages. */
  async items(chatId: string): Promise<Item[]> {
    return (await this.get(`/v1/chats/${chatId}/items?limit=500`)).body.items;
  }

  /** Returns the API document of the kernel, which is fetched once. */
  async document(): Promise<ApiDocument> {
    this.#document ??= await documentOf(this.url, this.#program);
    return this.#document;
  }

  /** Pages, preflights and unknown addresses are not in the document, and a HEAD response has no body. */
  async #check(path: string, method: string, { status, headers, body }: Answer): Promise<void> {
    const document = await this.document();
    if (!document.describes(method, path)) return;
    const contentType = headers['content-type']?.split(';')[0];
    document.checkAnswer({ method, path, status, contentType, body });
    holdAnswer(method, path, status, body);
  }

  async #stream(path: string, asked: Asked): Promise<EventStream> {
    const { incoming, document } = await this.#open(path, asked);
    const { method, body, headers = {} } = asked;
    const request = body === undefined ? undefined : JSON.parse(body.toString());
    const reader = new DocumentReader({
      method,
      path,
      body: request,
      resumes: resumes(headers),
      inFleet: 'x-kernel' in incoming.headers,
    });
    return new EventStream(incoming, document, 'Event', reader);
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

/** One document per program. Most tests use the same program, and compiling its schemas takes a while. */
const documents = new Map<string, Promise<ApiDocument>>();

function documentOf(url: string, program: string): Promise<ApiDocument> {
  const known = documents.get(program);
  if (known) return known;
  // An older checkout runs with the packages of this one, which may lack those that build its document.
  const bytes =
    program === ''
      ? exchange(`${url}/v1/openapi.json`, { method: 'GET' }).then(bytesOf)
      : readFile(join(program, 'docs/openapi.json'));
  const fetched = bytes.then(text => new ApiDocument(JSON.parse(text.toString())));
  documents.set(program, fetched);
  return fetched;
}

/** Throws if an error response does not have the form of all errors (API-8). */
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

/** Throws if a response contains fields that the store keeps for internal use. */
export function refuseHidden(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if ('internal' in value) throw new Error(`${path} shows what is internal: ${JSON.stringify(value)}`);
  for (const child of Object.values(value)) refuseHidden(child, path);
}
