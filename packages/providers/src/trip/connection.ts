/**
 * The HTTP request of a trip, as the fetch that a provider package gets or as a plain POST. The connection sees every
 * byte that comes, so a provider that only sends signs of life is not silent, and it ends the request down to the socket.
 */
import { type Clock, ModelError, type TraceContext } from '@chat-kernel/kernel';
import { AnswerGate, AudioGate, beginningOf, MOST_REFUSAL_BYTES } from './bounds.ts';
import { type AnswerSink, post } from './post.ts';
import type { AnswerHeaders } from './rate-limits.ts';

export type Fetch = typeof globalThis.fetch;

export interface TripConnection {
  /** The fetch for provider packages. */
  fetch: Fetch;
  /** Posts for a wire that the kernel speaks itself; resolves when a stream begins. */
  post(url: string, headers: Record<string, string>, body: string, answer: AnswerSink): Promise<void>;
  /** Aborted with the trip's end, the caller's abort, or the provider's silence. */
  signal: AbortSignal;
  /** Ends the request if it still runs. */
  close(): void;
}

interface TripConnectionOptions {
  provider: string;
  /** The caller's signal. */
  signal: AbortSignal;
  /** The longest silence of the provider. */
  timeoutSecs: number;
  clock: Clock;
  /** The answer is audio: bytes that have no lines. Refusals are text all the same. */
  isAudio?: boolean;
  /** The trace that goes with the request. */
  trace?: TraceContext | undefined;
  onHeaders(headers: AnswerHeaders): void;
}

export function openConnection({
  provider,
  signal,
  timeoutSecs,
  clock,
  isAudio = false,
  trace,
  onHeaders,
}: TripConnectionOptions): TripConnection {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });

  const silence = watchSilence(timeoutSecs * 1000, clock, () => {
    const sentence = `${provider} was silent for ${timeoutSecs} seconds.`;
    controller.abort(new ModelError('upstream_error', sentence, true));
  });

  return {
    signal: controller.signal,
    fetch: async (input, init) => {
      const headers = trace ? withTrace(init?.headers, trace) : init?.headers;
      const options = { ...init, ...(await warmFetch()), signal: controller.signal, headers };
      const response = await globalThis.fetch(input, options);
      silence.heard();
      onHeaders(response.headers);
      const answer = response.body;
      if (!answer) return response;
      if (!response.ok) return new Response(beginningOf(answer, MOST_REFUSAL_BYTES), response);
      const isEventStream = /event-stream/.test(response.headers.get('content-type') ?? '');
      const gate = isAudio ? new AudioGate(provider) : new AnswerGate(provider, isEventStream);
      const refuse = (reason: unknown) => controller.abort(reason);
      return new Response(watched(answer, gate, silence, refuse), response);
    },
    post: (url, headers, body, answer) =>
      post(url, answer, {
        provider,
        headers: trace ? { ...headers, ...trace } : headers,
        body,
        signal: controller.signal,
        onHeaders,
        onBytes: silence.heard,
      }),
    close() {
      silence.stop();
      signal.removeEventListener('abort', abort);
      controller.abort(CLOSED);
    },
  };
}

function withTrace(given: HeadersInit | undefined, trace: TraceContext): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(trace)) headers.set(name, value);
  return headers;
}

const CLOSED = new DOMException('The trip is over.', 'AbortError');

interface SilenceWatch {
  heard(): void;
  /** A stream that has no reader brings nothing, which is not the provider's silence. */
  listening(yes: boolean): void;
  stop(): void;
}

/** A single timer that is set again only when it rings, so that a token costs no timer. `longest` in milliseconds. */
function watchSilence(longest: number, clock: Clock, onSilence: () => void): SilenceWatch {
  let last = clock.now();
  let listening = true;
  const ring = () => {
    const left = listening ? last + longest - clock.now() : longest;
    if (left <= 0) onSilence();
    else stop = clock.after(left, ring);
  };
  let stop = clock.after(longest, ring);
  return {
    heard: () => {
      last = clock.now();
    },
    listening: yes => {
      listening = yes;
      last = clock.now();
    },
    stop: () => stop(),
  };
}

/** @param refuse ends the request, whose answer is over a bound */
function watched(
  body: ReadableStream<Uint8Array>,
  gate: Pick<AnswerGate, 'take' | 'rest'>,
  silence: SilenceWatch,
  refuse: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  silence.listening(false);
  /** Reads until something may pass; undefined at the end. */
  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      silence.heard();
      const bytes = gate.take(value);
      if (bytes.length > 0) return bytes;
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        silence.listening(true);
        try {
          const bytes = await next();
          const last = bytes ?? gate.rest();
          if (last.length > 0) controller.enqueue(last);
          if (bytes === undefined) controller.close();
        } catch (error) {
          refuse(error);
          throw error;
        } finally {
          silence.listening(false);
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

type FetchAgent = new (options: object) => object;
let agent: Promise<RequestInit> | undefined;

/**
 * The agent of Node's fetch gives up after 300 s without a header or byte, whatever the settings say; another of
 * the same class, without limits, leaves silence to the watch above. The class is found only after a first fetch,
 * which makes Node load its fetch and takes some milliseconds.
 */
async function makeAgent(): Promise<RequestInit> {
  await globalThis.fetch('data:,');
  const shared = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.2')];
  const Agent = (shared as { constructor?: FetchAgent } | undefined)?.constructor;
  const options = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 };
  return Agent ? ({ dispatcher: new Agent(options) } as RequestInit) : {};
}

/** Makes Node's fetch ready. Kinds that need it call this early, and each request that does calls it again. */
export function warmFetch(): Promise<RequestInit> {
  agent ??= makeAgent();
  return agent;
}
