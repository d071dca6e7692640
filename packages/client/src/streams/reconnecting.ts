/**
 * THE reconnecting core, under every stream: one connection after the other, each asked to go on behind the newest
 * event of those before it. Who reads decides what a lost line means: leave the loop, or read on for the next one.
 */
import type { KernelEvent, TurnEvent } from '../api/types.ts';
import { BrokenLine, isPassing } from '../http/errors.ts';
import { EventLine } from './event-line.ts';
import { eventIn } from './event-stream.ts';
import { Patience } from './patience.ts';

/** How a stream stands, for whoever shows it: "reconnecting in 3 s". */
export type StreamConnection =
  | { state: 'connecting' }
  | { state: 'open' }
  /** `retry_at`: milliseconds since 1970; `attempt`: 1 at the first failure in a row. */
  | { state: 'waiting'; retry_at: number; attempt: number; cause: unknown }
  | { state: 'closed' };

export interface StreamOptions {
  /** Ends the stream, and nothing else: turns go on. Reading it rejects with the reason. */
  signal?: AbortSignal | undefined;
  /** Told of every change, at once. */
  onConnection?: ((connection: StreamConnection) => void) | undefined;
  /** How long to try to reach the kernel again, milliseconds; default 300,000 for a turn, else for ever. */
  patienceMs?: number | undefined;
  /** The first wait before a new connection, milliseconds; default: what the server says, which is a second. */
  retryMs?: number | undefined;
  /** Default 45,000: the kernel sends a heartbeat every 15 s, and who misses three of them is gone. */
  silenceMs?: number | undefined;
  /** Its `online` events end the wait for a new connection: `window`, in browsers. */
  online?: EventTarget | undefined;
}

/** Answers with status 200 or 204, or throws. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

export type StreamStep<Event> =
  /** A line is open; `again`: not the first. */
  | { step: 'opened'; response: Response; again: boolean }
  | { step: 'event'; event: Event }
  /** It is over, in order or not. Reading on waits for the next line. */
  | { step: 'lost' };

/** Whatever a server says: streams that end at once must not become a storm. */
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;
/** A line that lived this long was a good one: what broke it is a new failure. */
const GOOD_LINE_MS = 10_000;

/** @throws KernelApiError where the kernel refuses, ConnectionLost, or the reason of the signal */
export async function* reconnecting<Event extends TurnEvent | KernelEvent>(
  connect: Connect,
  { signal = NEVER, onConnection, patienceMs = Infinity, retryMs, silenceMs = 45_000, online }: StreamOptions,
): AsyncGenerator<StreamStep<Event>, void> {
  const patience = new Patience({
    total: patienceMs,
    first: retryMs ?? 1000,
    longest: LONGEST_WAIT_MS,
    online,
  });
  const tell = (connection: StreamConnection) => onConnection?.(connection);
  let lastId: string | undefined;
  try {
    for (let again = false; ; ) {
      let line: EventLine | undefined;
      let cause: unknown = new BrokenLine('The kernel ended the stream.');
      tell({ state: 'connecting' });
      try {
        line = await EventLine.open(signal => connect(lastId, signal), { signal, silenceMs });
        tell({ state: 'open' });
        yield { step: 'opened', response: line.response, again };
        again = true;
        for await (const message of line.messages()) {
          // First of all: what cannot be read is not asked for again.
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
        tell({ state: 'waiting', retry_at: Date.now() + waitMs, attempt, cause }),
      );
    }
  } finally {
    tell({ state: 'closed' });
  }
}

const within = (least: number, value: number | undefined, most: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(least, value), most);

const NEVER = new AbortController().signal;
