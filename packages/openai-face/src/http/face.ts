/** Routes requests at the addresses of the face, and identifies their callers. */
import type { IncomingHttpHeaders } from 'node:http';
import { BoundedMap } from '@chat-kernel/base';
import { KernelClient, PendingCancels, type Problem } from '@chat-kernel/client';
import type { FaceAnswer, FaceOptions, FaceRequest } from '@chat-kernel/http';
import { speak } from '../audio/speech.ts';
import { transcribe } from '../audio/transcription.ts';
import { KnownChats } from '../chats/known-chats.ts';
import type { Asked } from '../completions/begin.ts';
import type { Caller } from '../completions/caller.ts';
import { complete } from '../completions/complete.ts';
import { ClientDisconnected } from '../turns/heartbeat.ts';
import { invalid, OpenAiError } from '../wire/openai-error.ts';
import { toOpenAiError, toRefusalError } from '../wire/problems.ts';
import { readRequest } from '../wire/request.ts';

/** The address of the face in the kernel. */
const PREFIX = '/openai';
const COMPLETIONS = '/v1/chat/completions';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const SPEECH = '/v1/audio/speech';
const MODELS = '/v1/models';
/** The existing addresses, listed in the 404 of any other. */
const ADDRESSES = [
  `POST ${PREFIX}${COMPLETIONS}`,
  `POST ${PREFIX}${TRANSCRIPTIONS}`,
  `POST ${PREFIX}${SPEECH}`,
  `GET ${PREFIX}${MODELS}`,
  `GET ${PREFIX}${MODELS}/{model}`,
];
const ONE_MODEL = /^\/v1\/models\/(.{1,1000})$/;
const CHAT_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const NO_BYTES: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };
/** Maximum number of cached callers, and of request keys. */
const MAX_CALLERS = 20;
const MAX_KEYS = 1000;
/** Status of a request whose client has disconnected, as proxies log it. */
const GONE = 499;

export class OpenAiFace {
  readonly #options: FaceOptions<'openai'>;
  readonly #closing = new AbortController();
  /** Token → caller; all of them belong to one owner. */
  readonly #callers = new BoundedMap<string, Caller>(MAX_CALLERS);
  readonly #shared: Omit<Caller, 'kernel' | 'stops'>;

  constructor(options: FaceOptions<'openai'>) {
    this.#options = options;
    this.#shared = {
      consent: options.interfaces.openai.consent,
      known: new KnownChats(),
      places: new BoundedMap(MAX_KEYS),
      undoing: new Set(),
      closing: this.#closing.signal,
      onFailure: options.onFailure,
    };
  }

  /** Rejects with all errors that are not OpenAiError. */
  async answer(request: FaceRequest): Promise<FaceAnswer> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ClientDisconnected) return { status: GONE, body: {} };
      const failure = toOpenAiError(error);
      if (failure instanceof OpenAiError) return failure;
      throw failure;
    }
  }

  refusal(problem: Problem): FaceAnswer {
    return toRefusalError(problem);
  }

  close(): void {
    this.#closing.abort();
  }

  async #answer({ method, path, headers, body, bytes = NO_BYTES, signal }: FaceRequest): Promise<FaceAnswer> {
    const caller = this.#callerOf(headers);
    const model = ONE_MODEL.exec(path)?.[1];
    if (path === COMPLETIONS) {
      only('POST', method, path);
      onlyJson(headers);
      return complete(caller, this.#askedBy(headers, body), signal);
    }
    if (path === TRANSCRIPTIONS) {
      only('POST', method, path);
      return transcribe(caller.kernel, headers, bytes, signal);
    }
    if (path === SPEECH) {
      only('POST', method, path);
      onlyJson(headers);
      return speak(caller.kernel, body, signal);
    }
    if (path === MODELS || model !== undefined) {
      only('GET', method, path);
      const { kernel } = caller;
      return {
        status: 200,
        body: model === undefined ? await listModels(kernel) : await getModel(kernel, decoded(model)),
      };
    }
    throw new OpenAiError({
      status: 404,
      message: `${shown(path)} does not exist. Available: ${ADDRESSES.join(', ')}.`,
      code: 'unknown_url',
    });
  }

  #callerOf({ authorization, 'x-service-token': sent }: IncomingHttpHeaders): Caller {
    const bearer = /^Bearer (\S{1,1000})$/i.exec(authorization ?? '')?.[1];
    const token = typeof sent === 'string' ? sent : bearer;
    const known = this.#callers.get(token ?? '');
    if (known !== undefined) return known;
    const { url, fetch } = this.#options;
    const kernel = new KernelClient({ url, fetch, token });
    const caller = { ...this.#shared, kernel, stops: new PendingCancels(kernel) };
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

/** The chat that a request names. @throws OpenAiError for an invalid id */
function chatNamed(headers: IncomingHttpHeaders, inBody: unknown): string | undefined {
  const header = headers['x-chat-id'];
  const [param, id] = header === undefined ? (['metadata.chat_id', inBody] as const) : ['X-Chat-Id', header];
  if (id === undefined || id === null) return undefined;
  if (typeof id !== 'string') throw invalid(param, `${param} must be a chat id.`);
  if (CHAT_ID.test(id)) return id;
  throw new OpenAiError({ status: 404, message: 'This is not a valid chat id.', param, code: 'not_found' });
}

function only(wanted: string, method: string, path: string): void {
  if (method === wanted) return;
  throw new OpenAiError({
    status: 405,
    message: `${method} is not allowed for ${shown(path)}. Allowed: ${wanted}.`,
    code: 'method_not_supported',
  });
}

/** @throws OpenAiError for a body of another type */
function onlyJson({ 'content-type': type = '' }: IncomingHttpHeaders): void {
  if (/^application\/json\b/i.test(type)) return;
  throw new OpenAiError({
    status: 415,
    message: 'The body must be application/json.',
    code: 'unsupported_media_type',
  });
}

/** The complete path, as the caller knows it. */
const shown = (path: string): string => `${PREFIX}${path.slice(0, 200)}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No model has such an id.
    return text;
  }
}

const toOpenAiModel = ({ id, provider }: { id: string; provider: string }) => ({
  id,
  object: 'model',
  // The creation time of a model is unknown.
  created: 0,
  owned_by: provider,
});

/** Lists the kernel's models in OpenAI's format. */
async function listModels(kernel: KernelClient): Promise<object> {
  const { models } = await kernel.listModels();
  return { object: 'list', data: models.map(toOpenAiModel) };
}

/** @throws OpenAiError model_not_found */
async function getModel(kernel: KernelClient, id: string): Promise<object> {
  const { models } = await kernel.listModels();
  const model = models.find(each => each.id === id);
  if (model) return toOpenAiModel(model);
  throw new OpenAiError({
    status: 404,
    message: `There is no model ${id.slice(0, 200)}.`,
    param: 'model',
    code: 'model_not_found',
  });
}
