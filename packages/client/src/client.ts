/** Everything a client can ask of the kernel. Calls are named as in the kernel's OpenAPI document. */
import type {
  BytesRead,
  CancelResult,
  Chat,
  ChatPage,
  CompleteRequest,
  Completion,
  CreateChat,
  ItemPage,
  JsonObject,
  MessagePage,
  ModelList,
  Notebook,
  OpsProgress,
  OpsResult,
  PatchChat,
  Person,
  ReadBytes,
  ResolvedRequest,
  ResolvePerson,
  RewindResult,
  SearchResults,
  Stats,
  ToolList,
  Triage,
  TriageReport,
  Turn,
  TurnRequest,
  UploadedFile,
} from '@chat-kernel/protocol';
import { isPassing } from './errors.ts';
import { Patience } from './patience.ts';
import { type KernelAddress, path, Transport } from './transport.ts';
import { type TurnPatience, TurnStream } from './turn-stream.ts';

/** What starts a turn: POST messages. */
export type TurnStart = Omit<TurnRequest, 'on_busy'> & { on_busy?: TurnRequest['on_busy'] };

export interface TurnOptions extends TurnPatience {
  /** The same key starts one turn, also from another process; default: a new one. */
  idempotencyKey?: string;
}

export interface Page {
  /** 1 to 500, default 50. */
  limit?: number;
  /** The cursor that the page before gave. */
  before?: string;
}

export interface ChatQuery extends Page {
  shelf?: string;
  project?: string;
  /** Part of the title, in any case. */
  q?: string;
}

export interface Upload {
  name: string;
  media_type: string;
  bytes: NonNullable<RequestInit['body']>;
}

/**
 * Every call throws KernelApiError where the kernel refuses, and an error named BrokenLine where no answer came.
 * None of them is repeated by itself but `turn`, which can be.
 */
export class KernelClient {
  readonly #http: Transport;

  constructor(address: KernelAddress) {
    this.#http = new Transport(address);
  }

  get url(): string {
    return this.#http.url;
  }

  createChat = (fields: CreateChat = {}) => this.#http.json<Chat>('POST', '/v1/chats', { body: fields });
  getChat = (id: string) => this.#http.json<Chat>('GET', path`/v1/chats/${id}`);
  listChats = (query: ChatQuery = {}) =>
    this.#http.json<ChatPage>('GET', '/v1/chats', { query: { ...query } });
  patchChat = (id: string, fields: PatchChat) =>
    this.#http.json<Chat>('PATCH', path`/v1/chats/${id}`, { body: fields });
  /** @param force cancels a running turn first */
  deleteChat = (id: string, { force = false } = {}) =>
    this.#http.json<{ deleted: true; id: string }>('DELETE', path`/v1/chats/${id}`, { query: { force } });
  setModel = (id: string, model: string | null) =>
    this.#http.json<Chat>('PUT', path`/v1/chats/${id}/model`, { body: { model } });
  search = (query: { q: string; limit?: number }) =>
    this.#http.json<SearchResults>('GET', '/v1/search', { query });

  /** Posts a message and follows its turn to the end, whatever the network does meanwhile. */
  turn(chatId: string, request: TurnStart, { idempotencyKey, ...patience }: TurnOptions = {}): TurnStream {
    const headers = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() };
    const mute = request.mute?.join(',');
    const start = (signal: AbortSignal) =>
      this.#http.send('POST', path`/v1/chats/${chatId}/messages`, { body: request, headers, signal });
    const resume = (lastEventId: string, signal: AbortSignal) =>
      this.#http.send('GET', path`/v1/chats/${chatId}/live`, {
        query: { mute },
        headers: { 'last-event-id': lastEventId },
        signal,
      });
    return new TurnStream({ start, resume }, patience);
  }
  /** How a turn goes or went. */
  getTurn = (chatId: string, turnId: string) =>
    this.#http.json<Turn>('GET', path`/v1/chats/${chatId}/turns/${turnId}`);
  /** Ends the running turn. @param queued also those that wait */
  cancelTurn = (chatId: string, { queued = false } = {}) =>
    this.#http.json<CancelResult>('POST', path`/v1/chats/${chatId}/cancel`, { query: { queued } });

  listMessages = (chatId: string, page: Page = {}) =>
    this.#http.json<MessagePage>('GET', path`/v1/chats/${chatId}/messages`, { query: { ...page } });
  /** Deletes a message and all after it. */
  rewind = (chatId: string, messageId: string) =>
    this.#http.json<RewindResult>('DELETE', path`/v1/chats/${chatId}/messages/${messageId}`);
  listItems = (chatId: string, page: Page = {}) =>
    this.#http.json<ItemPage>('GET', path`/v1/chats/${chatId}/items`, { query: { ...page } });
  getNotebook = (chatId: string) => this.#http.json<Notebook>('GET', path`/v1/chats/${chatId}/notes`);
  setNotebook = (chatId: string, text: string) =>
    this.#http.json<Notebook>('PUT', path`/v1/chats/${chatId}/notes`, { body: { text } });

  /** Answers an operation, an extra tool call or a question. */
  answerRequest = (chatId: string, result: OpsResult) =>
    this.#http.json<ResolvedRequest>('POST', path`/v1/chats/${chatId}/ops/result`, { body: result });
  /** A snapshot of how far an operation is; replaces the one before. */
  showProgress = (chatId: string, progress: OpsProgress) =>
    this.#http.json<{ ok: true }>('POST', path`/v1/chats/${chatId}/ops/progress`, { body: progress });

  /** One call to a model, outside of any chat. */
  complete = (request: CompleteRequest, { signal }: { signal?: AbortSignal } = {}) =>
    this.#http.json<Completion>('POST', '/v1/complete', { body: request, signal });
  listModels = () => this.#http.json<ModelList>('GET', '/v1/models');
  listTools = () => this.#http.json<ToolList>('GET', '/v1/tools');
  resolvePerson = (person: ResolvePerson) =>
    this.#http.json<Person>('POST', '/v1/persons/resolve', { body: person });
  uploadFile = ({ name, media_type, bytes }: Upload) =>
    this.#http.json<UploadedFile>('POST', '/v1/files', {
      bytes,
      headers: { 'content-type': media_type, 'x-file-name': encodeURIComponent(name) },
    });
  /** A piece of a file on the kernel's machine. */
  readBytes = (piece: ReadBytes) => this.#http.json<BytesRead>('POST', '/v1/ops/read_bytes', { body: piece });
  /** A piece of a file on the machine of the client that has a turn open in the chat. */
  readClientBytes = (chatId: string, piece: ReadBytes) =>
    this.#http.json<BytesRead>('POST', path`/v1/chats/${chatId}/ops/read_bytes`, { body: piece });
  /** The settings of the kernel, secrets hidden. */
  getConfig = () => this.#http.json<JsonObject>('GET', '/v1/config');
  getStats = () => this.#http.json<Stats>('GET', '/v1/stats');
  /** What came of the messages that a judge let through (API-3). */
  reportTriage = (report: TriageReport) =>
    this.#http.json<Triage>('POST', '/v1/stats/triage', { body: report });

  /** Waits until the kernel takes work (MOD-11). @throws ConnectionLost after `waitMs`, or the reason of the signal */
  async ready({ waitMs, signal }: { waitMs: number; signal?: AbortSignal }): Promise<void> {
    const patience = new Patience({ total: waitMs, first: 100, longest: 2000 });
    for (;;) {
      try {
        await this.#http.json('GET', '/readyz', { signal });
        return;
      } catch (error) {
        if (!isPassing(error)) throw error;
        await patience.wait(error, signal);
      }
    }
  }
}
