/**
 * The events of a turn, from its message to its end, over as many connections as that takes.
 *
 * A connection that breaks is followed by the same message under the same idempotency key: that attaches to the turn,
 * never starts a second one, and goes on behind the newest event. Where the kernel no longer knows that event (it was
 * restarted, the turn ended long ago) the events start over; `reset` says so.
 */
import type { EventOf, TurnEnd, TurnError, TurnEvent, Usage } from '../api/types.ts';
import { type Connect, reconnecting, type StreamOptions, type StreamStep } from './reconnecting.ts';
import { isResumed } from './resumed.ts';

export interface StartedTurn {
  turn_id: string;
  /** The stored message. */
  message_id: string;
}

export interface TurnResult {
  turn_id: string;
  status: TurnEnd;
  stop_reason: string;
  /** The text of the model, its steps one after the other. */
  text: string;
  message_ids: string[];
  usage: Usage;
  error?: TurnError;
}

/** Milliseconds of attempts to reach the kernel again. */
const PATIENCE_MS = 300_000;

export class TurnStream implements AsyncIterable<TurnEvent> {
  /** Settles when the message is stored. Rejects where it is refused, or the kernel cannot be reached. */
  readonly started: Promise<StartedTurn>;
  readonly #leaving = new AbortController();
  readonly #steps: AsyncGenerator<StreamStep<TurnEvent>, void>;
  readonly #first: Promise<IteratorResult<StreamStep<TurnEvent>, void>>;
  #read = false;

  /** Connects at once. */
  constructor(connect: Connect, { signal, patienceMs = PATIENCE_MS, ...options }: StreamOptions = {}) {
    this.#steps = reconnecting<TurnEvent>(connect, {
      ...options,
      patienceMs,
      signal: signal ? AbortSignal.any([signal, this.#leaving.signal]) : this.#leaving.signal,
    });
    this.#first = this.#steps.next();
    this.started = this.#first.then(({ value }) => startedBy(value ?? undefined));
    // A caller that only reads the events gets the failure there.
    this.started.catch(() => {});
  }

  /** Can be read once, for the events are not kept. Leaving the loop hangs up; the turn goes on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, void> {
    if (this.#read) throw new Error('The events of a turn can be read once.');
    this.#read = true;
    let begun = false;
    let done = false;
    try {
      for (let next = await this.#first; !next.done; next = await this.#steps.next()) {
        const step = next.value;
        if (step.step === 'event') {
          const { event } = step;
          begun = true;
          done ||= event.type === 'done';
          yield event;
        } else if (step.step === 'opened') {
          if (begun && !isResumed(step.response)) yield { type: 'reset' };
        } else if (done) {
          // The stream may have lost the ends of requests; they ended with the turn.
          return;
        }
      }
    } finally {
      await this.leave();
    }
  }

  /** Hangs up; the turn goes on. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#steps.return();
  }

  /** Reads to the end. Resolves for every end of the turn, also a failed one. */
  async result(): Promise<TurnResult> {
    let text = '';
    let error: TurnError | undefined;
    let done: EventOf<'done'> | undefined;
    for await (const event of this) {
      if (event.type === 'reset') text = '';
      else if (event.type === 'text_delta') text += event.text;
      else if (event.type === 'error') {
        error = { code: event.code, message: event.message, retryable: event.retryable };
      } else if (event.type === 'done') done = event;
    }
    // The loop ends with nothing but a done.
    const { turn_id, status, stop_reason, message_ids, usage } = done!;
    return { turn_id, status, stop_reason, text, message_ids, usage, ...(error && { error }) };
  }
}

function startedBy(step: StreamStep<TurnEvent> | undefined): StartedTurn {
  const headers = step?.step === 'opened' ? step.response.headers : undefined;
  return { turn_id: headers?.get('x-turn-id') ?? '', message_id: headers?.get('x-message-id') ?? '' };
}
