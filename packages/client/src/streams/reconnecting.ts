/**
 * THE reconnecting core of every stream: a connection after the other, each asked to go on behind the newest event of
 * those before it. The reader decides what a lost line means: leave the loop, or read on for the next one.
 */
import type { HandsEvent, KernelEvent, TurnEvent } from '../api/types.ts';
import { BrokenLine, isPassing } from '../http/errors.ts';
import { EventLine } from './event-line.ts';
import { eventIn } from './event-stream.ts';
import { Patience } from './patience.ts';

/** The state of a stream's connection, to be shown: "reconnecting in 3 s". */
export type StreamConnection =
  | { state: 'connecting' }
  | { state: 'open' }
  /** `retry_at`: milliseconds since 1970; `attempt`: 1 at the first failure in a row. */
  | { state: 'waiting'; retry_at: number; attempt: number; cause: unknown }
  | { state: 'closed' };

export interface StreamOptions {
  /** Aborted: the stream ends, and reading it rejects with the reason. Turns go on. */
  signal?: AbortSignal | undefined;
  /** Called at every change, at once. */
  onConnection?: ((connection: StreamConnection) => void) | undefined;
  /** Milliseconds of attempts to reach the kernel again; default 300,000 for a turn, else for ever. */
  patienceMs?: number | undefined;
  /** Milliseconds of the first wait before a new connection; default: what the server says, which is a second. */
  retryMs?: number | undefined;
  /** Milliseconds of silence before a line counts as broken; default 45,000: three heartbeats of the kernel. */
  silenceMs?: number | undefined;
  /** Sends `online` events, which end the wait for a new connection: `window`, in browsers. */
  online?: EventTarget | undefined;
}

/** Resolves with an answer of status 200 or 204, or throws. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

export type StreamStep<Event> =
  /** A line is open; `again`: not the first. */
  | { step: 'opened'; response: Response; again: boolean }
  | { step: 'event'; event: Event }
  /** The line is over, in order or not. Reading on waits for the next one. */
  | { step: 'lost' };

/** A stream that ends at once must not become a storm, whatever the server says. */
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;
/** A line that lived for this long was good: its break is a first failure. */
const GOOD_LINE_MS = 10_000;

/** @throws KernelApiError where the kernel refuses, ConnectionLost, or the reason of the signal */
export async function* reconnecting<Event extends TurnEvent | KernelEvent | HandsEvent>(
  connect: Connect,
  { signal = NEVER, onConnection, patienceMs = Infinity, retryMs, silenceMs = 45_000, online }: StreamOptions,
): AsyncGenerator<StreamStep<Event>, void> {
  const patience = new Patience({
    total: patienceMs,
    first: retryMs ?? 1000,
    longest: LONGEST_WAIT_MS,
    online,
  });
  const report = (connection: StreamConnection) => onConnection?.(connection);
  let lastId: string | undefined;
  try {
    for (let again = false; ; ) {
      let line: EventLine | undefined;
      let cause: unknown = new BrokenLine('The kernel ended the stream.');
      report({ state: 'connecting' });
      try {
        line = await EventLine.open(signal => connect(lastId, signal), { signal, silenceMs });
        report({ state: 'open' });
        yield { step: 'opened', response: line.response, again };
        again = true;
        for await (const message of line.messages()) {
          // Noted before the message is read: one that cannot be read is not asked for again.
          lastId = line.lastId;
          const event = eventIn<Event>(message);
          patience.renew();
          yield { step: 'event', event };
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!isPassing(error)) throw error;
        cause = error;
      } finally {
        line?.hangUp();
      }
      if (line) {
        lastId = line.lastId ?? lastId;
        patience.first = retryMs ?? within(SHORTEST_WAIT_MS, line.retry, LONGEST_WAIT_MS) ?? patience.first;
        if (line.livedMs >= GOOD_LINE_MS) patience.renew();
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
