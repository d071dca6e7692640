/**
 * The reconnecting core of every stream: opens one connection after the other, each resuming after the newest event so
 * far. After a disconnect the reader decides: leave the loop, or read on and wait for the next connection.
 */
import type { HandsEvent, KernelEvent, TurnEvent } from '../api/types.ts';
import { ConnectionError, isRetryable } from '../http/errors.ts';
import { type EventConnection, openConnection } from './event-connection.ts';
import { eventIn } from './event-stream.ts';
import { RetryBackoff } from './retry-backoff.ts';

/** The connection state of a stream, for display: "reconnecting in 3 s". */
export type StreamConnection =
  | { state: 'connecting' }
  | { state: 'open' }
  /** `retry_at`: milliseconds since 1970; `attempt`: 1 at the first failure in a row. */
  | { state: 'waiting'; retry_at: number; attempt: number; cause: unknown }
  | { state: 'closed' };

export interface StreamOptions {
  /** An abort ends the stream, and reading it rejects with the reason. Turns continue. */
  signal?: AbortSignal | undefined;
  /** Called immediately at every change. */
  onConnection?: ((connection: StreamConnection) => void) | undefined;
  /** Milliseconds of attempts to reach the kernel again; default 300,000 for a turn, otherwise unlimited. */
  patienceMs?: number | undefined;
  /** Milliseconds of the first wait before a new connection; default: what the server sets, which is a second. */
  retryMs?: number | undefined;
  /** Milliseconds of silence before a connection counts as lost; default 45,000: three heartbeats of the kernel. */
  silenceMs?: number | undefined;
  /** Target whose `online` events end the wait for a new connection: `window` in browsers. */
  online?: EventTarget | undefined;
}

/** Resolves with a response of status 200 or 204, or throws. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

export type StreamStep<Event> =
  /** A connection is open; `again`: not the first one. */
  | { step: 'opened'; response: Response; again: boolean }
  | { step: 'event'; event: Event }
  /** The connection ended, normally or not. Reading on waits for the next one. */
  | { step: 'lost' };

/** Limits reconnects to a stream that ends immediately, whatever the server sets. */
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;
/** After a connection of this duration, a disconnect counts as a first failure. */
const GOOD_LINE_MS = 10_000;

/** @throws KernelApiError if the kernel refuses, RetriesExhaustedError, or the reason of the signal */
export async function* reconnecting<Event extends TurnEvent | KernelEvent | HandsEvent>(
  connect: Connect,
  { signal = NEVER, onConnection, patienceMs = Infinity, retryMs, silenceMs = 45_000, online }: StreamOptions,
): AsyncGenerator<StreamStep<Event>, void> {
  const patience = new RetryBackoff({
    total: patienceMs,
    first: retryMs ?? 1000,
    longest: LONGEST_WAIT_MS,
    online,
  });
  const report = (connection: StreamConnection) => onConnection?.(connection);
  let lastId: string | undefined;
  try {
    for (let again = false; ; ) {
      let line: EventConnection | undefined;
      let cause: unknown = new ConnectionError('The kernel ended the stream.');
      report({ state: 'connecting' });
      try {
        line = await openConnection(signal => connect(lastId, signal), { signal, silenceMs });
        report({ state: 'open' });
        yield { step: 'opened', response: line.response, again };
        again = true;
        for await (const message of line.messages()) {
          // Set before the message is read, so that an unreadable message is not requested again.
          lastId = line.parser.lastId;
          const event = eventIn<Event>(message);
          patience.renew();
          yield { step: 'event', event };
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!isRetryable(error)) throw error;
        cause = error;
      } finally {
        line?.hangUp();
      }
      if (line) {
        lastId = line.parser.lastId ?? lastId;
        patience.first =
          retryMs ?? within(SHORTEST_WAIT_MS, line.parser.retry, LONGEST_WAIT_MS) ?? patience.first;
        if (line.livedMs() >= GOOD_LINE_MS) patience.renew();
        yield { step: 'lost' };
      }
      await patience.wait(cause, signal, (waitMs, attempt) =>
        report({ state: 'waiting', retry_at: Date.now() + waitMs, attempt, cause }),
      );
    }
  } finally {
    report({ state: 'closed' });
  }
}

const within = (least: number, value: number | undefined, most: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(least, value), most);

const NEVER = new AbortController().signal;
