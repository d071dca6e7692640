/** The client of a kernel: calls by method and path, named calls, streams and uploads. */
import type { CallOptions } from '../api/calls.ts';
import type {
  File,
  HandsEvent,
  KernelEvent,
  RetryRequest,
  Transcription,
  TurnEvent,
  TurnRequest,
} from '../api/types.ts';
import { isRetryable } from '../http/errors.ts';
import { isResumed } from '../streams/event-stream.ts';
import { type Connect, reconnecting, type StreamOptions } from '../streams/reconnecting.ts';
import { RetryBackoff } from '../streams/retry-backoff.ts';
import { liveEvents, TurnStream } from '../streams/turn-stream.ts';
import { NamedCalls } from './operations.ts';
import type { LiveOptions, Presence, RetryOptions, TurnOptions, Upload } from './options.ts';

/**
 * Every call throws KernelApiError if the kernel refuses it, and ConnectionError if no response arrived. Only the streams
 * reconnect automatically, because they can resume.
 */
export class KernelClient extends NamedCalls {
  /** Posts a message and follows its turn to the end, across network failures. */
  turn(chatId: string, request: TurnRequest, options: TurnOptions = {}): TurnStream {
    return this.#turn(chatId, request, options, (body, headers, signal) =>
      this.open('POST', '/v1/chats/{id}/messages', { path: { id: chatId }, body, headers, signal }),
    );
  }

  /**
   * Starts a turn in place of the one that a user message began, and follows it like `turn`. Without text, images and
   * files the same message is sent again. The replaced messages stay as a version (`listVersions`).
   */
  retry(
    chatId: string,
    messageId: string,
    request: RetryRequest = {},
    { files, ...options }: RetryOptions = {},
  ): TurnStream {
    return this.#turn(chatId, request, options, (body, headers, signal) =>
      this.open('POST', '/v1/chats/{id}/messages/{message_id}/retry', {
        path: { id: chatId, message_id: messageId },
        query: { files },
        body,
        headers,
        signal,
      }),
    );
  }

  #turn<Request extends RetryRequest>(
    chatId: string,
    request: Request,
    { idempotencyKey, ...options }: TurnOptions,
    post: (body: Request, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>,
  ): TurnStream {
    const key = idempotencyKey ?? crypto.randomUUID();
    return new TurnStream(async (lastEventId, signal) => {
      // Large images are not sent again if the kernel can resume without them.
      if (lastEventId !== undefined && request.images?.length) {
        const live = await this.#watch(chatId, { mute: request.mute })(lastEventId, signal);
        if (isResumed(live)) return live;
        await live.body?.cancel();
      }
      return post(request, { 'idempotency-key': key, ...resumeAt(lastEventId) }, signal);
    }, options);
  }

  /**
   * Watches a chat: first the past events of the running turn, marked `replayed`, then the new ones. Without `follow`
   * the stream ends with the turn, or immediately if none runs.
   */
  live(
    chatId: string,
    { follow = false, mute, ...options }: LiveOptions = {},
  ): AsyncGenerator<TurnEvent, void> {
    return liveEvents(this.#watch(chatId, { follow, mute }), follow, options);
  }

  /** Watches all chats from now on, for example to show a list of them. `reset`: read the list again. */
  events(options: StreamOptions = {}): AsyncGenerator<KernelEvent, void> {
    return eventsAlone<KernelEvent>(
      (lastEventId, signal) => this.open('GET', '/v1/events', { headers: resumeAt(lastEventId), signal }),
      options,
    );
  }

  /**
   * Connects as a stand-by machine (HANDS-1): the events contain operations to execute. `standBy` handles all of it.
   * @throws KernelApiError name_taken
   */
  handsEvents(
    { running, secret, ...said }: Presence,
    options: StreamOptions = {},
  ): AsyncGenerator<HandsEvent, void> {
    return eventsAlone<HandsEvent>((_, signal) => {
      const query = { ...said, running: running().join(',') };
      const headers = {
        'x-client-id': encodeURIComponent(said.client_id),
        ...(secret !== undefined && { 'x-client-secret': secret }),
      };
      return this.open('GET', '/v1/hands/live', { query, headers, signal });
    }, options);
  }

  /** Stores a file so that messages can refer to it. */
  uploadFile({ name, media_type, bytes }: Upload, { headers, ...options }: CallOptions = {}): Promise<File> {
    return this.request('POST', '/v1/files', {
      bytes,
      headers: { 'content-type': media_type, 'x-file-name': encodeURIComponent(name), ...headers },
      ...options,
    });
  }

  /** Transcribes audio. @param audio at most 25 MB */
  transcribe(
    { media_type, bytes }: Omit<Upload, 'name'>,
    query: { model?: string; language?: string; file_id?: string } = {},
    { headers, ...options }: CallOptions = {},
  ): Promise<Transcription> {
    return this.request('POST', '/v1/transcribe', {
      bytes,
      query,
      headers: { 'content-type': media_type, ...headers },
      ...options,
    });
  }

  /**
   * Waits until the kernel accepts work (MOD-11).
   * @throws RetriesExhaustedError after `waitMs`, or the reason of the signal
   */
  async ready({ waitMs, signal }: { waitMs: number; signal?: AbortSignal }): Promise<void> {
    const patience = new RetryBackoff({ total: waitMs, first: 100, longest: 2000 });
    for (;;) {
      try {
        await this.getReadiness({ signal });
        return;
      } catch (error) {
        if (!isRetryable(error)) throw error;
        await patience.wait(error, signal);
      }
    }
  }

  #watch(id: string, { follow = false, mute = [] }: Pick<LiveOptions, 'follow' | 'mute'>): Connect {
    const query = {
      ...(follow && { follow }),
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

/** An id that does not fit into a header is not one of the kernel's. */
const resumeAt = (lastEventId = ''): Record<string, string> =>
  /^[\x21-\x7e]+$/.test(lastEventId) ? { 'last-event-id': lastEventId } : {};

/** Streams of independent events: those of all chats, and those of a stand-by machine. */
async function* eventsAlone<Event extends KernelEvent | HandsEvent>(
  connect: Connect,
  options: StreamOptions,
): AsyncGenerator<Event, void> {
  for await (const step of reconnecting<Event>(connect, options)) {
    if (step.step === 'event') yield step.event;
  }
}
