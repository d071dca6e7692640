/** A connection that streams events: its messages, until it ends, breaks or falls silent. */
import { BrokenLine } from '../http/errors.ts';
import { checkEventStream } from './event-stream.ts';
import { type SseMessage, SseParser } from './sse.ts';

interface LineOptions {
  /** Hangs up, and rejects what is awaited. */
  signal: AbortSignal;
  /** Milliseconds without a byte, not even of a heartbeat, after which the kernel counts as gone. */
  silenceMs: number;
}

export class EventLine {
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

  /** @throws BrokenLine where no stream came, KernelApiError, or the reason of the signal */
  static async open(
    connect: (signal: AbortSignal) => Promise<Response>,
    { signal, silenceMs }: LineOptions,
  ): Promise<EventLine> {
    const gone = new AbortController();
    // A listener by hand and not AbortSignal.any: a signal that lives for weeks must not remember each line.
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
      return new EventLine(response, hangUp, silenceMs);
    } catch (error) {
      hangUp();
      throw error;
    }
  }

  /** Milliseconds before a new connection, as the server last said. */
  get retry(): number | undefined {
    return this.#parser.retry;
  }

  /** The id to go on behind; undefined: this line has brought none. */
  get lastId(): string | undefined {
    return this.#parser.lastId;
  }

  /** Milliseconds from its opening to its last bytes, heartbeats included. */
  get livedMs(): number {
    return this.#heard - this.#opened;
  }

  /** Gives the messages in order, up to an end in order. @throws BrokenLine */
  async *messages(): AsyncGenerator<SseMessage, void> {
    const { body } = this.response;
    if (body === null) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await unlessSilent(
        reader.read().catch(error => {
          throw new BrokenLine('The stream broke.', error);
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
    const timer = setTimeout(() => reject(new BrokenLine('The kernel fell silent.')), silenceMs);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
