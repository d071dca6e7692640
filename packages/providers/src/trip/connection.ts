/**
 * The connection of a provider request, as a fetch function for provider packages or as a plain POST. It observes all
 * incoming bytes, so that heartbeats count as activity, and it closes the socket when the request ends.
 */
import { type Clock, currentTrace, ModelError, type TraceContext } from '@chat-kernel/kernel';
import { sendFetch } from '@chat-kernel/net';
import { AnswerGate, AudioGate, MAX_REFUSAL_BYTES, truncateBody } from './bounds.ts';
import { type AnswerSink, post } from './post.ts';
import type { AnswerHeaders } from './rate-limits.ts';

export type Fetch = typeof globalThis.fetch;

export interface TripConnection {
  /** The fetch for provider packages. */
  fetch: Fetch;
  /** Posts for an API without a package; resolves when a stream begins. */
  post(url: string, headers: Record<string, string>, body: string, answer: AnswerSink): Promise<void>;
  /** Aborted by the end of the request, the caller, or the provider's timeout. */
  signal: AbortSignal;
  /** Ends the request if it is still active. */
  close(): void;
}

interface TripConnectionOptions {
  provider: string;
  /** The caller's signal. */
  signal: AbortSignal;
  /** The longest silence of the provider. */
  timeoutSecs: number;
  clock: Clock;
  /** The response is audio: bytes without lines. Refusals are still text. */
  isAudio?: boolean;
  /** True if `post` must not reuse a connection. */
  fresh?: boolean;
  /** Receives the JSON of the request, and returns that which is sent. */
  onBody?(body: string): string;
  onHeaders(headers: AnswerHeaders): void;
}

export function openConnection({
  provider,
  signal,
  timeoutSecs,
  clock,
  isAudio = false,
  fresh = false,
  onBody = body => body,
  onHeaders,
}: TripConnectionOptions): TripConnection {
  const trace = currentTrace();
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
      const options = {
        ...init,
        signal: controller.signal,
        headers,
        ...(typeof init?.body === 'string' && { body: onBody(toWellFormedJson(init.body)) }),
      } as const;
      const response = await sendFetch(input, options);
      silence.heard();
      onHeaders(response.headers);
      const answer = response.body;
      if (!answer) return response;
      if (!response.ok) return new Response(truncateBody(answer, MAX_REFUSAL_BYTES), response);
      const isEventStream = /event-stream/.test(response.headers.get('content-type') ?? '');
      const gate = isAudio ? new AudioGate(provider) : new AnswerGate(provider, isEventStream);
      const refuse = (reason: unknown) => controller.abort(reason);
      return new Response(watched(answer, gate, silence, refuse), response);
    },
    post: (url, headers, body, answer) =>
      post(url, answer, {
        provider,
        headers: trace ? { ...headers, ...trace } : headers,
        body: onBody(toWellFormedJson(body)),
        signal: controller.signal,
        fresh,
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

/**
 * Replaces lone surrogates in the JSON of a request: strict providers refuse all of it. JSON contains them as escapes; an
 * escaped backslash before the same letters is text.
 */
const toWellFormedJson = (json: string): string =>
  json.includes('\\ud')
    ? json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, sign => (sign === '\\\\' ? sign : '\ufffd'))
    : json;

function withTrace(given: HeadersInit | undefined, trace: TraceContext): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(trace)) headers.set(name, value);
  return headers;
}

const CLOSED = new DOMException('The trip is over.', 'AbortError');

interface SilenceWatch {
  heard(): void;
  /** While a stream has no reader, missing bytes do not count as the provider's silence. */
  listening(yes: boolean): void;
  stop(): void;
}

/**
 * A single timer that is only set again when it fires, so that tokens do not create timers. `longest` in milliseconds.
 */
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

/** @param refuse callback that ends the request, whose response exceeds a limit */
function watched(
  body: ReadableStream<Uint8Array>,
  gate: Pick<AnswerGate, 'take' | 'rest'>,
  silence: SilenceWatch,
  refuse: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  silence.listening(false);
  /** Reads until bytes may pass; undefined at the end. */
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
