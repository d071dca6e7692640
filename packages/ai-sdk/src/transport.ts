/** Implements the transport of the AI SDK's `useChat`: its chat is a kernel chat with the same id. */
import {
  type CallOptions,
  KernelApiError,
  type KernelClient,
  type OpsResult,
  PendingCancels,
  type ResolvedRequest,
  type StreamOptions,
  type TurnEvent,
  type TurnRequest,
} from '@chat-kernel/client';
import type { ChatTransport } from 'ai';
import { chunkStream, tick, unlessAborted, untilOver } from './chunk-stream.ts';
import { ChunkWriter, MUTED } from './chunk-writer.ts';
import type { KernelChunk, KernelRequest, KernelUIMessage } from './message.ts';
import { saidBy } from './outgoing.ts';

export interface KernelChatTransportOptions {
  /** Fields of each turn besides its message; a page that shows questions sets `questions: true`, and one
   * that shows requests sets `consents: true`. */
  turn?: TurnFields | undefined;
  /**
   * The effect of `stop()`: `cancel` ends the turn, `leave` disconnects and the turn continues. Default: cancel.
   * useChat also stops when its component is unmounted, unless the page passes its own Chat.
   */
  stop?: 'cancel' | 'leave' | undefined;
  /** Options of the streams; in browsers `{ online: window }`. */
  stream?: Omit<StreamOptions, 'signal'> | undefined;
  /** Called with each event, for example for hands: `(chat, event) => runner.take(chat, event)`. */
  onEvent?: ((chatId: string, event: TurnEvent) => void) | undefined;
}

/** The fields of a turn other than its message; also what `sendMessage` takes as `body`. */
export type TurnFields = Omit<Partial<TurnRequest>, 'text' | 'images' | 'files' | 'mute'>;

/**
 * An answer to a request: a decision about an operation, an answer to a question or a decision, or the result of a
 * tool.
 */
export type RequestAnswer = Omit<OpsResult, 'id' | 'op_id' | 'question'>;

type Sent = Parameters<ChatTransport<KernelUIMessage>['sendMessages']>[0];
type Resumed = Parameters<ChatTransport<KernelUIMessage>['reconnectToStream']>[0];

export class KernelChatTransport implements ChatTransport<KernelUIMessage> {
  /** A resumed stream repeats its turn from the beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #client: KernelClient;
  readonly #options: KernelChatTransportOptions;
  readonly #stops: PendingCancels;
  /** The id of a message in the page → its id in the kernel. */
  readonly #stored = new Map<string, string>();
  /** Chat → its newest attempt to resume a stream. */
  readonly #resuming = new Map<string, object>();

  constructor(client: KernelClient, options: KernelChatTransportOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#stops = new PendingCancels(client);
  }

  /**
   * Sends the last message. If the kernel already has it (regenerated or edited), it is deleted first, with all
   * messages after it.
   * @throws KernelApiError, RetriesExhaustedError
   */
  async sendMessages({
    trigger,
    chatId,
    messageId,
    messages,
    body,
    abortSignal,
  }: Sent): Promise<ReadableStream<KernelChunk>> {
    const client = this.#client;
    const message = messages.at(-1);
    if (message?.role !== 'user') {
      throw new Error(
        'The last message is none of the user: the kernel goes on by itself, also after an answer.',
      );
    }
    // Done before the deletion: a file may be refused.
    const said = await saidBy(message, client, abortSignal);
    await this.#stops.settled(chatId);
    if (trigger === 'regenerate-message' || messageId !== undefined) await this.#forget(chatId, message.id);
    abortSignal?.throwIfAborted();
    const { turn, stream: options, onEvent } = this.#options;
    const stream = client.turn(chatId, { ...turn, ...body, ...said, mute: MUTED }, options);
    const started = stream.started.then(ids => {
      this.#stored.set(message.id, ids.message_id);
      return ids;
    });
    const stop = () => {
      if (this.#options.stop !== 'leave') this.#stops.stop(chatId, started);
      // A stop does not wait for a message that is still being sent; the turn is stopped once it has arrived.
      void started.catch(() => {}).finally(() => stream.leave());
    };
    abortSignal?.addEventListener('abort', stop, { once: true });
    const { turn_id } = await unlessAborted(started, abortSignal);
    const chunks = turnChunks(client, stream, { chatId, turnId: turn_id, onEvent });
    return chunkStream(untilOver(chunks, abortSignal, stop), () => void stream.leave());
  }

  /** Resumes the running turn of the chat, from its beginning; null if none runs. @throws KernelApiError */
  async reconnectToStream({ chatId, abortSignal }: Resumed): Promise<ReadableStream<KernelChunk> | null> {
    const client = this.#client;
    const attempt = {};
    this.#resuming.set(chatId, attempt);
    const { turn } = await client.getChat(chatId, { signal: abortSignal });
    abortSignal?.throwIfAborted();
    if (turn === null) return null;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    const stop = () => {
      leave();
      if (this.#options.stop === 'leave') return;
      // The AI SDK also aborts when it resumes the stream once more, which happens in the same tick.
      const meant = tick().then(() =>
        this.#resuming.get(chatId) === attempt ? { turn_id: turn.id } : undefined,
      );
      this.#stops.stop(chatId, meant);
    };
    abortSignal?.addEventListener('abort', stop, { once: true });
    const { stream: options, onEvent } = this.#options;
    const events = client.live(chatId, { ...options, mute: MUTED, signal: leaving.signal });
    const chunks = turnChunks(client, events, { chatId, turnId: turn.id, onEvent });
    return chunkStream(untilOver(chunks, abortSignal, stop), leave);
  }

  /** Answers a request: the data of a `data-request` part. @throws KernelApiError, such as already_resolved */
  answer(request: KernelRequest, answer: RequestAnswer, options?: CallOptions): Promise<ResolvedRequest> {
    const question = request.kind === 'question' ? { question: request.question } : {};
    return this.#client.answerRequest(request.chat_id, { id: request.id, ...question, ...answer }, options);
  }

  /** Takes a message, if the kernel has it, and all messages after it out of the chat; they stay as a version. */
  async #forget(chatId: string, id: string): Promise<void> {
    const stored = this.#stored.get(id) ?? id;
    // The id exists only in the page: the message has never arrived.
    if (!UUID.test(stored)) return;
    try {
      await this.#client.rewindFiles(chatId, stored);
    } catch (error) {
      if (!(error instanceof KernelApiError && error.status === 404)) throw error;
    }
  }
}

/** The format of the kernel's ids. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface TurnOfChat {
  chatId: string;
  turnId: string;
  onEvent?: ((chatId: string, event: TurnEvent) => void) | undefined;
}

/** Yields the chunks of a turn, from its events, or from the history if the events have expired. */
async function* turnChunks(
  client: KernelClient,
  events: AsyncIterable<TurnEvent>,
  { chatId, turnId, onEvent }: TurnOfChat,
): AsyncGenerator<KernelChunk, void> {
  const writer = new ChunkWriter(chatId, client.url);
  yield* writer.begin(turnId);
  for await (const event of events) {
    onEvent?.(chatId, event);
    yield* writer.write(event);
  }
  // The turn ended between two reads, or while the connection was interrupted.
  if (!writer.ended) yield* endedTurn(client, chatId, turnId, writer);
}

/** Size of the newest history page in which an ended turn is searched. */
const PAGE = 200;

async function* endedTurn(
  client: KernelClient,
  chatId: string,
  turnId: string,
  writer: ChunkWriter,
): AsyncGenerator<KernelChunk, void> {
  const { status, usage, error } = await client.getTurn(chatId, turnId);
  const { items } = await client.listItems(chatId, { limit: PAGE });
  for (const item of items) if (item.turn_id === turnId) yield* writer.completed(item);
  if (error) writer.fail(error.message);
  if (status === 'completed' || status === 'failed' || status === 'cancelled') {
    yield* writer.end({ status, usage });
  }
}
