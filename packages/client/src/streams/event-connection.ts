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

export type EventConnection = Awaited<ReturnType<typeof openConnection>>;

/** @throws ConnectionError if no stream was returned, KernelApiError, or the reason of the signal */
export async function openConnection(
  connect: (signal: AbortSignal) => Promise<Response>,
  { signal, silenceMs }: LineOptions,
) {
  const gone = new AbortController();
  // An explicit listener instead of AbortSignal.any: a signal that lives for weeks must not reference every
  // connection.
  const leave = () => gone.abort(signal.reason);
  /** Closes the connection, down to the socket. */
  const hangUp = () => {
    signal.removeEventListener('abort', leave);
    gone.abort();
  };
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  let response: Response;
  try {
    response = await unlessSilent(connect(gone.signal), silenceMs);
    checkEventStream(response);
  } catch (error) {
    hangUp();
    throw error;
  }
  const opened = Date.now();
  let heard = opened;
  const parser = new SseParser();
  return {
    response,
    hangUp,
    /** Has the id to resume after, and the wait that the server asks for. */
    parser,

    /** Milliseconds from its opening to its last bytes, heartbeats included. */
    livedMs: (): number => heard - opened,

    /** Yields the messages in order, until the stream ends normally. @throws ConnectionError */
    async *messages(): AsyncGenerator<SseMessage, void> {
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      while (reader) {
        const { done, value } = await unlessSilent(
          reader.read().catch(error => {
            throw new ConnectionError('The stream broke.', error);
          }),
          silenceMs,
        );
        if (done) return;
        heard = Date.now();
        yield* parser.push(decoder.decode(value, { stream: true }));
      }
    },
  };
}

function unlessSilent<T>(reading: Promise<T>, silenceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ConnectionError('The kernel fell silent.')), silenceMs);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
