/** A connection that streams events: yields its messages until it ends, breaks or times out. */
import { ConnectionError } from '../http/errors.ts';
import { checkEventStream } from './event-stream.ts';
import { type SseMessage, SseParser } from './sse.ts';

interface LineOptions {
  /** An abort disconnects, and rejects pending reads. */
  signal: AbortSignal;
  /** Milliseconds without a byte, heartbeats included, after which the kernel counts as unreachable. */
  silenceMs: number;
}

export class EventConnection {
  readonly response: Response;
  /** Closes the connection, down to the socket. */
  readonly hangUp: () => void;
  readonly #parser = new SseParser();
  readonly #silenceMs: number;
  readonly #opened = Date.now();
  #heard = this.#opened;

  private constructor(response: Response, hangUp: () => void, silenceMs: number) {
    this.response = response;
    this.hangUp = hangUp;
    this.#silenceMs = silenceMs;
  }

  /** @throws ConnectionError if no stream was returned, KernelApiError, or the reason of the signal */
  static async open(
    connect: (signal: AbortSignal) => Promise<Response>,
    { signal, silenceMs }: LineOptions,
  ): Promise<EventConnection> {
    const gone = new AbortController();
    // An explicit listener instead of AbortSignal.any: a signal that lives for weeks must not reference every
    // connection.
    const leave = () => gone.abort(signal.reason);
    const hangUp = () => {
      signal.removeEventListener('abort', leave);
      gone.abort();
    };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    try {
      const response = await unlessSilent(connect(gone.signal), silenceMs);
      checkEventStream(response);
      return new EventConnection(response, hangUp, silenceMs);
    } catch (error) {
      hangUp();
      throw error;
    }
  }

  /** Milliseconds before a new connection, as last sent by the server. */
  get retry(): number | undefined {
    return this.#parser.retry;
  }

  /** The id to resume after; undefined: this connection has delivered none. */
  get lastId(): string | undefined {
    return this.#parser.lastId;
  }

  /** Milliseconds from its opening to its last bytes, heartbeats included. */
  get livedMs(): number {
    return this.#heard - this.#opened;
  }

  /** Yields the messages in order, until the stream ends normally. @throws ConnectionError */
  async *messages(): AsyncGenerator<SseMessage, void> {
    const { body } = this.response;
    if (body === null) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await unlessSilent(
        reader.read().catch(error => {
          throw new ConnectionError('The stream broke.', error);
        }),
        this.#silenceMs,
      );
      if (done) return;
      this.#heard = Date.now();
      yield* this.#parser.push(decoder.decode(value, { stream: true }));
    }
  }
}

function unlessSilent<T>(reading: Promise<T>, silenceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ConnectionError('The kernel fell silent.')), silenceMs);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
