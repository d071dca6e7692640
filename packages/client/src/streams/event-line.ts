/** One connection that streams events: its messages, until it ends, breaks or falls silent. */
import { BrokenLine } from '../http/errors.ts';
import { checkEventStream } from './event-stream.ts';
import { type SseMessage, SseParser } from './sse.ts';

export interface LineOptions {
  /** Hangs up, and rejects what is awaited. */
  signal: AbortSignal;
  /** Milliseconds: who says nothing for so long, not even by a heartbeat, is gone. */
  silenceMs: number;
}

export class EventLine {
  readonly response: Response;
  /** Leaves, down to the socket. */
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
    // By hand, not by AbortSignal.any: a signal that lives for weeks must not remember each line.
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

  /** As the server last said; milliseconds. */
  get retry(): number | undefined {
    return this.#parser.retry;
  }

  /** Where to go on: undefined where this line has not said. */
  get lastId(): string | undefined {
    return this.#parser.lastId;
  }

  /** From its opening to the last that came, heartbeats too. */
  get livedMs(): number {
    return this.#heard - this.#opened;
  }

  /** To its end in order. @throws BrokenLine */
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
