/** The client of a kernel: any call by method and path, the named calls, streams and uploads. */
import type { CallAnswer, CallArguments, CallOptions, Method, PathOf, QueryOf } from '../api/calls.ts';
import type { HandsEvent, KernelEvent, TurnEvent, TurnRequest } from '../api/types.ts';
import { isPassing } from '../http/errors.ts';
import { fillPath } from '../http/path.ts';
import { type KernelAddress, Transport, type TransportInput } from '../http/transport.ts';
import { eventsAlone } from '../streams/events-alone.ts';
import { liveEvents } from '../streams/live.ts';
import { Patience } from '../streams/patience.ts';
import type { Connect, StreamOptions } from '../streams/reconnecting.ts';
import { isResumed } from '../streams/resumed.ts';
import { TurnStream } from '../streams/turn-stream.ts';
import { NamedCalls } from './named-calls.ts';
import type { LiveOptions, Presence, TurnOptions, Upload } from './options.ts';

/**
 * Every call throws KernelApiError where the kernel refuses, and BrokenLine where no answer came. The streams alone are
 * repeated by themselves, since they can be.
 */
export class KernelClient extends NamedCalls {
  readonly #http: Transport;

  constructor(address: KernelAddress) {
    const http = new Transport(address);
    super(http);
    this.#http = http;
  }

  get url(): string {
    return this.#http.url;
  }

  /** Calls what answers JSON, typed by the document: `request('GET', '/v1/chats/{id}', { path: { id } })`. */
  request<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    ...[input]: CallArguments<M, Path>
  ): Promise<CallAnswer<M, Path>> {
    const { path: parameters, ...sent } = (input ?? {}) as UntypedInput;
    return this.#http.json(method, fillPath(path, parameters), sent);
  }

  /** Calls what answers anything else, such as the bytes of a file; the body is unread. Errors are thrown here too. */
  open<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    ...[input]: CallArguments<M, Path>
  ): Promise<Response> {
    const { path: parameters, ...sent } = (input ?? {}) as UntypedInput;
    return this.#http.send(method, fillPath(path, parameters), sent);
  }

  /** Posts a message and follows its turn to the end, whatever the network does meanwhile. */
  turn(chatId: string, request: TurnRequest, { idempotencyKey, ...options }: TurnOptions = {}): TurnStream {
    const key = idempotencyKey ?? crypto.randomUUID();
    return new TurnStream(async (lastEventId, signal) => {
      // Large images are not sent again where the kernel can go on without them.
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
   * Watches a chat: first the past events of the running turn, marked `replayed`, then the new ones. Without `follow` it
   * ends with the turn, or at once where none runs.
   */
  live(
    chatId: string,
    { follow = false, mute, ...options }: LiveOptions = {},
  ): AsyncGenerator<TurnEvent, void> {
    return liveEvents(this.#watch(chatId, { follow, mute }), follow, options);
  }

  /** Watches all chats from now on, such as to show the list of them. `reset`: read the list again. */
  events(options: StreamOptions = {}): AsyncGenerator<KernelEvent, void> {
    return eventsAlone<KernelEvent>(
      (lastEventId, signal) => this.open('GET', '/v1/events', { headers: resumeAt(lastEventId), signal }),
      options,
    );
  }

  /**
   * Stands by as a machine (HANDS-1): what comes is to be executed. `standBy` does all of it.
   * @throws KernelApiError name_taken
   */
  handsEvents({ running, ...said }: Presence, options: StreamOptions = {}): AsyncGenerator<HandsEvent, void> {
    return eventsAlone<HandsEvent>((_, signal) => {
      const query = { ...said, running: running().join(',') };
      return this.open('GET', '/v1/hands/live', { query, signal });
    }, options);
  }

  /** Stores a file, for messages to name it. */
  uploadFile({ name, media_type, bytes }: Upload, { headers, ...options }: CallOptions = {}) {
    return this.request('POST', '/v1/files', {
      bytes,
      headers: { 'content-type': media_type, 'x-file-name': encodeURIComponent(name), ...headers },
      ...options,
    });
  }

  /** Has audio written down. @param audio at most 25 MB */
  transcribe(
    { media_type, bytes }: Omit<Upload, 'name'>,
    query: QueryOf<'transcribe'> = {},
    { headers, ...options }: CallOptions = {},
  ) {
    return this.request('POST', '/v1/transcribe', {
      bytes,
      query,
      headers: { 'content-type': media_type, ...headers },
      ...options,
    });
  }

  /** Waits until the kernel takes work (MOD-11). @throws ConnectionLost after `waitMs`, or the reason of the signal */
  async ready({ waitMs, signal }: { waitMs: number; signal?: AbortSignal }): Promise<void> {
    const patience = new Patience({ total: waitMs, first: 100, longest: 2000 });
    for (;;) {
      try {
        await this.getReadiness({ signal });
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

/** The input of any call. */
type UntypedInput = TransportInput & { path?: Record<string, string> };

/** An id that no header can carry is not one of the kernel's. */
const resumeAt = (lastEventId = ''): Record<string, string> =>
  /^[\x21-\x7e]+$/.test(lastEventId) ? { 'last-event-id': lastEventId } : {};
