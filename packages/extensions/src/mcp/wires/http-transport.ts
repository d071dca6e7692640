/** MCP over HTTP: the library's transport, less its patience with answers that never come. */
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-body.ts';
import { UNANSWERED } from '../rules/failures.ts';
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, MESSAGE_BYTES } from '../rules/limits.ts';

/** What JSON-RPC leaves to the implementation. */
const NO_ANSWER = -32000;
/** Streams are opened again for as long as the connection is thought to hold: whether it does is asked elsewhere. */
const REOPEN = {
  initialReconnectionDelay: FIRST_PAUSE_MS,
  maxReconnectionDelay: LONGEST_PAUSE_MS,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};

interface Server {
  url: string;
  headers?: Readonly<Record<string, string>>;
}

export class HttpTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  /** Requests without an answer. */
  readonly #open = new Set<string | number>();

  /** `onTooLarge`: the server has sent more than any message may have. */
  constructor({ url, headers = {} }: Server, onTooLarge: (error: RangeError) => void) {
    this.#inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: boundedFetch(MESSAGE_BYTES, onTooLarge),
      reconnectionOptions: REOPEN,
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = error => this.onerror?.(error);
    this.#inner.onmessage = message => {
      if ('id' in message && message.id !== undefined && !('method' in message))
        this.#open.delete(message.id);
      this.onmessage?.(message);
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

  /** Tells a server that keeps sessions that this one is over. @throws where it does not take that within `ms` */
  async endSession(ms: number): Promise<void> {
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => silence.reject(new Error(`no answer within ${ms} ms`)), ms);
    await Promise.race([this.#inner.terminateSession(), silence.promise]).finally(() => clearTimeout(timer));
  }

  /** The stream of the answer is over, and no other will come: who waits would wait for the timeout. */
  #unanswered(id: string | number): void {
    if (!this.#open.delete(id)) return;
    this.onmessage?.({
      jsonrpc: '2.0',
      id,
      error: { code: NO_ANSWER, message: 'the connection ended before the answer came', data: UNANSWERED },
    });
  }
}
