/** The addresses of the face, and who asks at them. */
import type { IncomingHttpHeaders } from 'node:http';
import { KernelClient, type Problem, Stops } from '@chat-kernel/client';
import { BoundedMap } from '../base/bounded-map.ts';
import { KnownChats } from '../chats/known-chats.ts';
import type { Asked } from '../completions/begin.ts';
import type { Caller } from '../completions/caller.ts';
import { complete } from '../completions/complete.ts';
import { HungUp } from '../turns/beats.ts';
import { invalid, OpenAiError } from '../wire/openai-error.ts';
import { openAiErrorOf, refusalOf } from '../wire/problems.ts';
import { readRequest } from '../wire/request.ts';
import { getModel, listModels } from './models.ts';

/** A request, its body read as JSON. */
export interface FaceRequest {
  method: string;
  /** Below the address of the face: `/v1/models`. */
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
}

export interface FaceAnswer {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, pieces of text as they come. */
  body: object | AsyncIterable<string>;
}

export interface FaceOptions {
  /** The address of the kernel. */
  url: string;
  /** The address under which people reach it; null: the one that they ask. */
  publicUrl: string | null;
  /** Told of what nobody can be answered any more. */
  onFailure(error: unknown): void;
}

const COMPLETIONS = '/v1/chat/completions';
const MODELS = '/v1/models';
const ONE_MODEL = /^\/v1\/models\/(.{1,1000})$/;
const CHAT_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Callers, and keys of requests, that are known at a time. */
const MOST_CALLERS = 20;
const MOST_KEYS = 1000;
/** Status of a request whose caller is gone, as proxies log it. */
const GONE = 499;

export class OpenAiFace {
  readonly #options: FaceOptions;
  readonly #closing = new AbortController();
  /** Token → caller; all of them are of one owner. */
  readonly #callers = new BoundedMap<string, Caller>(MOST_CALLERS);
  readonly #shared: Omit<Caller, 'kernel' | 'stops'>;

  constructor(options: FaceOptions) {
    this.#options = options;
    this.#shared = {
      known: new KnownChats(),
      places: new BoundedMap(MOST_KEYS),
      undoing: new Set(),
      closing: this.#closing.signal,
      onFailure: options.onFailure,
    };
  }

  /** Rejects with what is no refusal. */
  async answer(request: FaceRequest): Promise<FaceAnswer> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof HungUp) return { status: GONE, body: {} };
      const told = openAiErrorOf(error);
      if (told instanceof OpenAiError) return told;
      throw told;
    }
  }

  refusal(problem: Problem): FaceAnswer {
    return refusalOf(problem);
  }

  close(): void {
    this.#closing.abort();
  }

  async #answer({ method, path, headers, body, signal }: FaceRequest): Promise<FaceAnswer> {
    const caller = this.#callerOf(headers);
    const model = ONE_MODEL.exec(path)?.[1];
    if (path === COMPLETIONS) {
      only('POST', method, path);
      const asked = this.#askedBy(headers, body);
      return { status: 200, ...(await complete(caller, asked, signal)) };
    }
    if (path === MODELS || model !== undefined) {
      only('GET', method, path);
      const { kernel } = caller;
      return {
        status: 200,
        body: model === undefined ? await listModels(kernel) : await getModel(kernel, decoded(model)),
      };
    }
    throw new OpenAiError({ status: 404, message: `Nothing is at ${shown(path)}.`, code: 'unknown_url' });
  }

  #callerOf({ authorization, 'x-service-token': sent }: IncomingHttpHeaders): Caller {
    const bearer = /^Bearer (\S{1,1000})$/i.exec(authorization ?? '')?.[1];
    const token = typeof sent === 'string' ? sent : bearer;
    const known = this.#callers.get(token ?? '');
    if (known !== undefined) return known;
    const kernel = new KernelClient({ url: this.#options.url, token });
    const caller = { ...this.#shared, kernel, stops: new Stops(kernel) };
    this.#callers.set(token ?? '', caller);
    return caller;
  }

  #askedBy(headers: IncomingHttpHeaders, body: unknown): Asked {
    const request = readRequest(body);
    const key = headers['idempotency-key'];
    const { publicUrl } = this.#options;
    return {
      request,
      named: chatNamed(headers, request.metadata?.chat_id),
      key: typeof key === 'string' && key !== '' ? key : undefined,
      publicUrl: publicUrl?.replace(/\/$/, '') ?? `http://${headers.host}`,
    };
  }
}

/** The chat that a request names. @throws OpenAiError for what is no id */
function chatNamed(headers: IncomingHttpHeaders, inBody: unknown): string | undefined {
  const header = headers['x-chat-id'];
  const [param, id] = header === undefined ? (['metadata.chat_id', inBody] as const) : ['X-Chat-Id', header];
  if (id === undefined || id === null) return undefined;
  if (typeof id !== 'string') throw invalid(param, `${param} has to be the id of a chat.`);
  if (CHAT_ID.test(id)) return id;
  throw new OpenAiError({ status: 404, message: 'No chat can have this id.', param, code: 'not_found' });
}

function only(wanted: string, method: string, path: string): void {
  if (method === wanted) return;
  throw new OpenAiError({
    status: 405,
    message: `${method} is not possible at ${shown(path)}; possible: ${wanted}.`,
    code: 'method_not_supported',
  });
}

const shown = (path: string): string => path.slice(0, 200);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No model has such an id.
    return text;
  }
}
