/**
 * Implements MCP over HTTP: the transport of the library, except that requests end when their answer can no longer
 * arrive.
 */
import {
  type AuthProvider,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { UNANSWERED } from '../rules/failures.ts';
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, MESSAGE_BYTES } from '../rules/limits.ts';
import { type WireProblems, withKnownContent } from './known-content.ts';

/** A code that JSON-RPC leaves to implementations. */
const NO_ANSWER = -32000;
/** Streams are reopened without limit: only the heartbeat decides whether the connection is lost. */
const REOPEN = {
  initialReconnectionDelay: FIRST_PAUSE_MS,
  maxReconnectionDelay: LONGEST_PAUSE_MS,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};

interface HttpServer {
  url: string;
  headers?: Readonly<Record<string, string>>;
  auth: AuthProvider | null;
}

export class HttpTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  /** Requests without an answer. */
  readonly #open = new Set<string | number>();

  constructor({ url, headers = {}, auth }: HttpServer, { onTooLarge, onUnread }: WireProblems) {
    this.#inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      ...(auth !== null && { authProvider: auth }),
      fetch: boundedFetch(MESSAGE_BYTES, onTooLarge),
      reconnectionOptions: REOPEN,
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = error => this.onerror?.(error);
    this.#inner.onmessage = message => {
      if ('id' in message && message.id !== undefined && !('method' in message))
        this.#open.delete(message.id);
      this.onmessage?.(withKnownContent(message, onUnread));
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: Parameters<Transport['send']>[1]): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined) return this.#inner.send(message, options);
    this.#open.add(id);
    try {
      await this.#inner.send(message, {
        ...options,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          this.#unanswered(id);
        },
      });
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Ends the session on the server, if the server has sessions. @throws Error if it does not answer within `ms` */
  async endSession(ms: number): Promise<void> {
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => silence.reject(new Error(`no response within ${ms} ms`)), ms);
    await Promise.race([this.#inner.terminateSession(), silence.promise]).finally(() => clearTimeout(timer));
  }

  /** Ends a request whose stream ended without an answer, so that it need not wait for its timeout. */
  #unanswered(id: string | number): void {
    if (!this.#open.delete(id)) return;
    this.onmessage?.({
      jsonrpc: '2.0',
      id,
      error: { code: NO_ANSWER, message: 'the connection ended before the response', data: UNANSWERED },
    });
  }
}

const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r'];

/**
 * Limits the size of each message of an HTTP server. Streams of messages may be endless, so a limit on the body is
 * not possible. Returns a `fetch` whose bodies fail once a message is larger than `most` bytes. A message is a whole
 * body, or in an event stream the text between two blank lines. `onTooLarge` is called first.
 */
function boundedFetch(most: number, onTooLarge: (error: RangeError) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const events = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const sizes = new MessageSizes(events);
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (sizes.after(chunk) <= most) {
          controller.enqueue(chunk);
          return;
        }
        const error = new RangeError(`a message of more than ${most} bytes`);
        controller.error(error);
        onTooLarge(error);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}

class MessageSizes {
  readonly #events: boolean;
  /** Bytes of the current message. */
  #size = 0;
  /** A blank line may begin in one chunk and end in the next. */
  #tail = '';

  constructor(events: boolean) {
    this.#events = events;
  }

  after(chunk: Uint8Array): number {
    this.#size += chunk.length;
    if (!this.#events) return this.#size;
    const text = this.#tail + Buffer.from(chunk).toString('latin1');
    this.#tail = text.slice(-3);
    const ends = BLANK_LINES.map(blank => [text.lastIndexOf(blank), blank.length] as const)
      .filter(([start]) => start !== -1)
      .map(([start, length]) => start + length);
    // A message that ends in this chunk is not measured: it is smaller than the chunk, or was measured before.
    if (ends.length > 0) this.#size = text.length - Math.max(...ends);
    return this.#size;
  }
}
