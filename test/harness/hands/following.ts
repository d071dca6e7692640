/** Reads a stream for a client with hands, and executes operations while the stream continues. */
import type { Event, EventOf } from '@chat-kernel/protocol';
import type { EventStream } from '../event-stream.ts';

type Operation = EventOf<'client_op'>;

/** Executes an operation and responds to it; `signal` is aborted when that has become useless. */
type Execute = (operation: Operation, signal: AbortSignal) => Promise<void>;

export class Following {
  readonly stream: EventStream;
  /** Resolves with all events once the stream and every operation have ended. Rejects with the first error. */
  readonly over: Promise<Event[]>;
  readonly #execute: Execute;
  readonly #running = new Map<string, AbortController>();
  readonly #work: Promise<void>[] = [];
  readonly #failures: unknown[] = [];

  constructor(stream: EventStream, execute: Execute) {
    this.stream = stream;
    this.#execute = execute;
    this.over = this.#read();
    // An unread rejection must not end the test's process.
    this.over.catch(() => {});
  }

  /** Simulates a closed terminal: running commands are killed, and the client sends no more responses. */
  async leave(): Promise<Event[]> {
    for (const controller of this.#running.values()) controller.abort();
    this.stream.hangUp();
    return this.over;
  }

  async #read(): Promise<Event[]> {
    try {
      for await (const event of arriving(this.stream)) {
        if (event.type === 'client_op') this.#begin(event);
        if (event.type === 'request_resolved') this.#running.get(event.id)?.abort();
      }
    } catch (error) {
      this.#failures.push(error);
    }
    await Promise.all(this.#work);
    if (this.#failures.length > 0) throw this.#failures[0];
    return this.stream.events;
  }

  /** Run operations concurrently: sub-agents ask at the same time. */
  #begin(operation: Operation): void {
    const controller = new AbortController();
    this.#running.set(operation.id, controller);
    this.#work.push(
      this.#execute(operation, controller.signal).catch(error => {
        this.#failures.push(error);
        // Otherwise the turn and the test would wait for a response that never comes.
        this.stream.hangUp();
      }),
    );
  }
}

/** Yields each event of a stream once as it arrives, until the end. Throws if the stream broke off. */
async function* arriving(stream: EventStream): AsyncGenerator<Event> {
  let over = false;
  const closed = stream.closed().finally(() => {
    over = true;
  });
  // The rejection is awaited below, unless the reader stops early.
  closed.catch(() => {});
  for (let seen = 0; ; ) {
    while (seen < stream.events.length) yield stream.events[seen++] as Event;
    if (over) return closed;
    let index = 0;
    // A quiet stream has not failed: only its end counts here, not a timeout.
    const next = stream.until(() => index++ >= seen).catch(() => {});
    await Promise.race([closed, next]);
  }
}
