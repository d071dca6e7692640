/** Everything a client can ask of the kernel: any call by method and path, the usual ones by a name, and the streams. */
import {
  type Answer,
  type AskedArguments,
  type CallOptions,
  filled,
  type Method,
  type PathOf,
} from '../api/calls.ts';
import type { JsonObject, KernelEvent, OpsResult, Schema, TurnEvent, TurnRequest } from '../api/types.ts';
import { isPassing } from '../http/errors.ts';
import { type KernelAddress, type Sent, Transport } from '../http/transport.ts';
import { kernelEvents } from '../streams/kernel-events.ts';
import { liveEvents } from '../streams/live.ts';
import { Patience } from '../streams/patience.ts';
import type { Connect, StreamOptions } from '../streams/reconnecting.ts';
import { isResumed } from '../streams/resumed.ts';
import { TurnStream } from '../streams/turn-stream.ts';
import type { ChatQuery, LiveOptions, Page, TurnOptions, Upload } from './options.ts';

/**
 * Every call throws KernelApiError where the kernel refuses, and an error named BrokenLine where no answer came.
 * None of them is repeated by itself but the streams, which can be.
 */
export class KernelClient {
  readonly #http: Transport;

  constructor(address: KernelAddress) {
    this.#http = new Transport(address);
  }

  get url(): string {
    return this.#http.url;
  }

  /** Any call that answers JSON, typed by the document: `request('GET', '/v1/chats/{id}', { path: { id } })`. */
  request<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    ...[asked]: AskedArguments<M, Path>
  ): Promise<Answer<M, Path>> {
    const { path: parts, ...sent } = (asked ?? {}) as Loose;
    return this.#http.json(method, filled(path, parts), sent);
  }

  /** The same for any answer, such as the bytes of a file: nobody has read its body. Errors are thrown here too. */
  open<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    ...[asked]: AskedArguments<M, Path>
  ): Promise<Response> {
    const { path: parts, ...sent } = (asked ?? {}) as Loose;
    return this.#http.send(method, filled(path, parts), sent);
  }

  /** Posts a message and follows its turn to the end, whatever the network does meanwhile. */
  turn(chatId: string, request: TurnRequest, { idempotencyKey, ...options }: TurnOptions = {}): TurnStream {
    const key = idempotencyKey ?? crypto.randomUUID();
    return new TurnStream(async (lastEventId, signal) => {
      // Large pictures are not sent again where the kernel remembers the turn without them.
      if (lastEventId !== undefined && request.images?.length) {
        const live = await this.#watch(chatId, { mute: request.mute })(lastEventId, signal);
        if (isResumed(live)) return live;
        await live.body?.cancel();
      }
      return this.open('POST', '/v1/chats/{id}/messages', {
        path: { id: chatId },
        body: request,
        headers: { 'idempotency-key': key, ...resumeAt(lastEventId) },
        signal,
      });
    }, options);
  }

  /**
   * Watches a chat: first what the running turn did, marked `replayed`, then what it does. Without `follow` it ends
   * with the turn, or at once where none runs.
   */
  live(
    chatId: string,
    { follow = false, mute, ...options }: LiveOptions = {},
  ): AsyncGenerator<TurnEvent, void> {
    return liveEvents(this.#watch(chatId, { follow, mute }), follow, options);
  }

  /** What happens in all chats from now on, for whoever shows the list of them. `reset`: read the lists again. */
  events(options: StreamOptions = {}): AsyncGenerator<KernelEvent, void> {
    return kernelEvents(
      (lastEventId, signal) => this.open('GET', '/v1/events', { headers: resumeAt(lastEventId), signal }),
      options,
    );
  }

  createChat = (body: Schema<'CreateChat'> = {}, options?: CallOptions) =>
    this.request('POST', '/v1/chats', { body, ...options });
  getChat = (id: string, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}', { path: { id }, ...options });
  listChats = (query: ChatQuery = {}, options?: CallOptions) =>
    this.request('GET', '/v1/chats', { query, ...options });
  patchChat = (id: string, body: Schema<'PatchChat'>, options?: CallOptions) =>
    this.request('PATCH', '/v1/chats/{id}', { path: { id }, body, ...options });
  /** @param force cancels a running turn first */
  deleteChat = (id: string, { force = false, ...options }: CallOptions & { force?: boolean } = {}) =>
    this.request('DELETE', '/v1/chats/{id}', { path: { id }, query: { force: asSwitch(force) }, ...options });
  setModel = (id: string, model: string | null, options?: CallOptions) =>
    this.request('PUT', '/v1/chats/{id}/model', { path: { id }, body: { model }, ...options });
  setEffort = (id: string, level: Schema<'Effort'> | null, options?: CallOptions) =>
    this.request('PUT', '/v1/chats/{id}/effort', { path: { id }, body: { level }, ...options });
  setWorkdir = (id: string, body: Schema<'SetWorkdir'>, options?: CallOptions) =>
    this.request('PUT', '/v1/chats/{id}/workdir', { path: { id }, body, ...options });
  forkChat = (id: string, body: Schema<'ForkChat'>, options?: CallOptions) =>
    this.request('POST', '/v1/chats/{id}/fork', { path: { id }, body, ...options });
  /** Folds older history now. */
  compactChat = (id: string, options?: CallOptions) =>
    this.request('POST', '/v1/chats/{id}/compact', { path: { id }, ...options });
  getSpend = (id: string, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}/spend', { path: { id }, ...options });
  getPlan = (id: string, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}/plan', { path: { id }, ...options });
  erasePlan = (id: string, options?: CallOptions) =>
    this.request('DELETE', '/v1/chats/{id}/plan', { path: { id }, ...options });
  search = (query: { q: string; limit?: number }, options?: CallOptions) =>
    this.request('GET', '/v1/search', { query, ...options });

  /** How a turn goes or went. */
  getTurn = (chatId: string, turnId: string, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}/turns/{turn_id}', {
      path: { id: chatId, turn_id: turnId },
      ...options,
    });
  /** Ends the running turn. @param queued also those that wait */
  cancelTurn = (id: string, { queued = false, ...options }: CallOptions & { queued?: boolean } = {}) =>
    this.request('POST', '/v1/chats/{id}/cancel', {
      path: { id },
      query: { queued: asSwitch(queued) },
      ...options,
    });
  listMessages = (id: string, query: Page = {}, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}/messages', { path: { id }, query, ...options });
  /** Deletes a message and all after it. */
  rewind = (id: string, messageId: string, options?: CallOptions) =>
    this.request('DELETE', '/v1/chats/{id}/messages/{message_id}', {
      path: { id, message_id: messageId },
      ...options,
    });
  listItems = (id: string, query: Page = {}, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}/items', { path: { id }, query, ...options });
  getNotebook = (id: string, options?: CallOptions) =>
    this.request('GET', '/v1/chats/{id}/notes', { path: { id }, ...options });
  setNotebook = (id: string, text: string, options?: CallOptions) =>
    this.request('PUT', '/v1/chats/{id}/notes', { path: { id }, body: { text }, ...options });

  /** What waits for an answer. @param chat_id in this chat; absent: in all */
  listRequests = ({ chat_id, ...options }: CallOptions & { chat_id?: string | undefined } = {}) =>
    this.request('GET', '/v1/requests', { query: { ...(chat_id !== undefined && { chat_id }) }, ...options });
  /** Answers an operation, an extra tool call or a question. */
  answerRequest = (chatId: string, body: OpsResult, options?: CallOptions) =>
    this.request('POST', '/v1/chats/{id}/ops/result', { path: { id: chatId }, body, ...options });
  /** A snapshot of how far an operation is; replaces the one before. */
  showProgress = (chatId: string, body: Schema<'OpsProgress'>, options?: CallOptions) =>
    this.request('POST', '/v1/chats/{id}/ops/progress', { path: { id: chatId }, body, ...options });

  /** One call to a model, outside of any chat. */
  complete = (body: Schema<'CompleteRequest'>, options?: CallOptions) =>
    this.request('POST', '/v1/complete', { body, ...options });
  listModels = (options?: CallOptions) => this.request('GET', '/v1/models', { ...options });
  listTools = (options?: CallOptions) => this.request('GET', '/v1/tools', { ...options });
  resolvePerson = (body: Schema<'ResolvePerson'>, options?: CallOptions) =>
    this.request('POST', '/v1/persons/resolve', { body, ...options });
  uploadFile = ({ name, media_type, bytes }: Upload, options?: CallOptions) =>
    this.request('POST', '/v1/files', {
      bytes,
      headers: { 'content-type': media_type, 'x-file-name': encodeURIComponent(name) },
      ...options,
    });
  /** A piece of a file on the kernel's machine. */
  readBytes = (body: Schema<'ReadBytes'>, options?: CallOptions) =>
    this.request('POST', '/v1/ops/read_bytes', { body, ...options });
  /** A piece of a file on the machine of the client that has a turn open in the chat. */
  readClientBytes = (chatId: string, body: Schema<'ReadBytes'>, options?: CallOptions) =>
    this.request('POST', '/v1/chats/{id}/ops/read_bytes', { path: { id: chatId }, body, ...options });
  /** The settings of the kernel, secrets hidden. */
  getConfig = async (options?: CallOptions): Promise<JsonObject> => ({
    ...(await this.request('GET', '/v1/config', { ...options })),
  });
  getStats = (options?: CallOptions) => this.request('GET', '/v1/stats', { ...options });
  /** What came of the messages that a judge let through (API-3). */
  reportTriage = (body: Schema<'TriageReport'>, options?: CallOptions) =>
    this.request('POST', '/v1/stats/triage', { body, ...options });

  /** Waits until the kernel takes work (MOD-11). @throws ConnectionLost after `waitMs`, or the reason of the signal */
  async ready({ waitMs, signal }: { waitMs: number; signal?: AbortSignal }): Promise<void> {
    const patience = new Patience({ total: waitMs, first: 100, longest: 2000 });
    for (;;) {
      try {
        await this.request('GET', '/readyz', { signal });
        return;
      } catch (error) {
        if (!isPassing(error)) throw error;
        await patience.wait(error, signal);
      }
    }
  }

  #watch(id: string, { follow = false, mute = [] }: Pick<LiveOptions, 'follow' | 'mute'>): Connect {
    const query = {
      ...(follow && { follow: 'true' as const }),
      ...(mute.length > 0 && { mute: mute.join(',') }),
    };
    return (lastEventId, signal) =>
      this.open('GET', '/v1/chats/{id}/live', {
        path: { id },
        query,
        headers: resumeAt(lastEventId),
        signal,
      });
  }
}

/** What a typed call is made of, its types forgotten. */
type Loose = Sent & { path?: Record<string, string> };

const asSwitch = (on: boolean): 'true' | 'false' => (on ? 'true' : 'false');

/** An id that no header can carry is none of the kernel's. */
const resumeAt = (lastEventId = ''): Record<string, string> =>
  /^[\x21-\x7e]+$/.test(lastEventId) ? { 'last-event-id': lastEventId } : {};
