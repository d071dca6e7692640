/** A stream that a client with hands reads: operations are done while the stream goes on. */
import type { Event, EventOf } from '@chat-kernel/protocol';
import type { EventStream } from '../event-stream.ts';

type Operation = EventOf<'client_op'>;

/** Does an operation and answers it; `signal` is aborted when that has become pointless. */
type Execute = (operation: Operation, signal: AbortSignal) => Promise<void>;

export class Following {
  readonly stream: EventStream;
  /** All events, once the stream is over and every operation has ended. Rejects with the first thing that went wrong. */
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

  /** The terminal is closed: what runs is killed, and nothing more is answered. */
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

  /** Side by side with those that run: sub-agents ask at once. */
  #begin(operation: Operation): void {
    const controller = new AbortController();
    this.#running.set(operation.id, controller);
    this.#work.push(
      this.#execute(operation, controller.signal).catch(error => {
        this.#failures.push(error);
        // Else the turn would wait for an answer that never comes, and the test with it.
        this.stream.hangUp();
      }),
    );
  }
}

/** The events of a stream, each once and as it comes, to its end. Throws where the stream broke off. */
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
    // A quiet stream is none that failed: only its end counts here, not anybody's patience.
    const next = stream.until(() => index++ >= seen).catch(() => {});
    await Promise.race([closed, next]);
  }
}
