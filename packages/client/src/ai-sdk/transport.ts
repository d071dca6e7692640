/** The kernel as a transport of the AI SDK's `useChat`: its chat is one of the kernel, by the same id. */
import type { ChatTransport } from 'ai';
import type { AnswerOf, CallOptions } from '../api/calls.ts';
import type { OpsResult, TurnEvent, TurnRequest } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { Stops } from '../client/stops.ts';
import { KernelApiError } from '../http/errors.ts';
import type { StreamOptions } from '../streams/reconnecting.ts';
import { chunkStream, tick, unlessAborted, untilOver } from './chunk-stream.ts';
import { MUTED } from './chunk-writer.ts';
import type { KernelChunk, KernelRequest, KernelUIMessage } from './message.ts';
import { saidBy } from './outgoing.ts';
import { turnChunks } from './turn-chunks.ts';

export interface KernelChatTransportOptions {
  /** What each turn asks for besides its message; a page that shows questions says `questions: true`. */
  turn?: TurnFields | undefined;
  /**
   * What `stop()` does: `cancel` ends the turn, `leave` hangs up and the turn goes on. Default: cancel. useChat also stops
   * when its component goes, unless it is given a Chat of the page's own.
   */
  stop?: 'cancel' | 'leave' | undefined;
  /** Of the streams; in browsers `{ online: window }`. */
  stream?: Omit<StreamOptions, 'signal'> | undefined;
  /** Called with each event, such as for hands: `(chat, event) => runner.take(chat, event)`. */
  onEvent?: ((chatId: string, event: TurnEvent) => void) | undefined;
}

/** The fields of a turn that are no part of its message; also what `sendMessage` takes as `body`. */
export type TurnFields = Omit<Partial<TurnRequest>, 'text' | 'images' | 'files' | 'mute'>;

/** An answer to a request: of an operation a decision, of a question its answer or a decision, of a tool its result. */
export type RequestAnswer = Omit<OpsResult, 'id' | 'op_id' | 'question'>;

type Sent = Parameters<ChatTransport<KernelUIMessage>['sendMessages']>[0];
type Resumed = Parameters<ChatTransport<KernelUIMessage>['reconnectToStream']>[0];

export class KernelChatTransport implements ChatTransport<KernelUIMessage> {
  /** A stream that is taken up again tells its turn from the beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #client: KernelClient;
  readonly #options: KernelChatTransportOptions;
  readonly #stops: Stops;
  /** The id of a message in the page → its id in the kernel. */
  readonly #stored = new Map<string, string>();
  /** Chat → its newest attempt to take up a stream. */
  readonly #resuming = new Map<string, object>();

  constructor(client: KernelClient, options: KernelChatTransportOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#stops = new Stops(client);
  }

  /**
   * Sends the last message. One that the kernel has already, to answer it anew or because it was edited, is deleted before,
   * with all after it. @throws KernelApiError, ConnectionLost
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
    // Before anything is deleted: a file may be refused.
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
      // Whoever stops does not wait for a message that is still on its way; it is stopped once it has arrived.
      void started.catch(() => {}).finally(() => stream.leave());
    };
    abortSignal?.addEventListener('abort', stop, { once: true });
    const { turn_id } = await unlessAborted(started, abortSignal);
    const chunks = turnChunks(client, stream, { chatId, turnId: turn_id, onEvent });
    return chunkStream(untilOver(chunks, abortSignal, stop), () => void stream.leave());
  }

  /** Takes up the turn that runs in the chat, from its beginning; null: none runs. @throws KernelApiError */
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
      // The AI SDK aborts also where it takes up the stream once more, which it does in the same tick.
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

  /** Answers a request: the data of a part `data-request`. @throws KernelApiError, such as already_resolved */
  answer(
    request: KernelRequest,
    answer: RequestAnswer,
    options?: CallOptions,
  ): Promise<AnswerOf<'answerRequest'>> {
    const question = request.kind === 'question' ? { question: request.question } : {};
    return this.#client.answerRequest(request.chat_id, { id: request.id, ...question, ...answer }, options);
  }

  /** Deletes a message, where the kernel has it, and all after it. */
  async #forget(chatId: string, id: string): Promise<void> {
    const stored = this.#stored.get(id) ?? id;
    // An id of the page alone: the message has never arrived.
    if (!UUID.test(stored)) return;
    try {
      await this.#client.rewind(chatId, stored);
    } catch (error) {
      if (!(error instanceof KernelApiError && error.status === 404)) throw error;
    }
  }
}

/** As the kernel makes ids. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
