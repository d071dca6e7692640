/**
 * Streams the events of a turn, from its message to its end, over as many connections as needed.
 *
 * After a disconnect, the same message is sent again under the same idempotency key. This attaches to the turn, never
 * starts a second one, and continues after the newest event. If the kernel no longer knows that event (it was
 * restarted, or the turn ended long ago), the events start over, and `reset` reports this.
 */
import type { EventOf, StopReason, TurnEnd, TurnError, TurnEvent, Usage } from '../api/types.ts';
import { isResumed } from './event-stream.ts';
import { type Connect, reconnecting, type StreamOptions, type StreamStep } from './reconnecting.ts';

export interface StartedTurn {
  turn_id: string;
  /** The stored message. */
  message_id: string;
}

export interface TurnResult {
  turn_id: string;
  status: TurnEnd;
  stop_reason: StopReason;
  /** The text of the model, with all steps joined. */
  text: string;
  message_ids: string[];
  usage: Usage;
  error?: TurnError;
}

/** Milliseconds of attempts to reach the kernel again. */
const DEFAULT_MAX_RETRY_MS = 300_000;

export class TurnStream implements AsyncIterable<TurnEvent> {
  /** Settles when the message is stored. Rejects if it is refused, or if the kernel is unreachable. */
  readonly started: Promise<StartedTurn>;
  readonly #leaving = new AbortController();
  readonly #steps: AsyncGenerator<StreamStep<TurnEvent>, void>;
  readonly #first: Promise<IteratorResult<StreamStep<TurnEvent>, void>>;
  #read = false;

  /** Connects immediately. */
  constructor(
    connect: Connect,
    { signal, patienceMs = DEFAULT_MAX_RETRY_MS, ...options }: StreamOptions = {},
  ) {
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

  /** Can be read only once, because events are not stored. Leaving the loop disconnects; the turn continues. */
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
          // The stream may have missed the ends of requests; they ended with the turn.
          return;
        }
      }
    } finally {
      await this.leave();
    }
  }

  /** Disconnects; the turn continues. */
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
    // The loop ends only with a done event.
    const { turn_id, status, stop_reason, message_ids, usage } = done!;
    return { turn_id, status, stop_reason, text, message_ids, usage, ...(error && { error }) };
  }
}

function startedBy(step: StreamStep<TurnEvent> | undefined): StartedTurn {
  const headers = step?.step === 'opened' ? step.response.headers : undefined;
  return { turn_id: headers?.get('x-turn-id') ?? '', message_id: headers?.get('x-message-id') ?? '' };
}

/**
 * Without `follow` the stream ends after the turn, or immediately if none runs; with it, only by the signal. `reset` is
 * sent if the events of the turn start over, or if no more will come because the turn is in the history.
 */
export async function* liveEvents(
  connect: Connect,
  follow: boolean,
  options: StreamOptions,
): AsyncGenerator<TurnEvent, void> {
  /** An event of a turn was sent, but not its end. */
  let open = false;
  let done = false;
  /** A reset was sent for this connection. */
  let told = false;
  for await (const step of reconnecting<TurnEvent>(connect, options)) {
    if (step.step === 'event') {
      const { event } = step;
      if (event.type === 'reset') {
        // The kernel's own reset, for missed turns, even if none was open here.
        open = false;
        if (!told) yield event;
        continue;
      }
      if (event.type === 'done') done = true;
      // A request_resolved may follow the done of its turn.
      else if (event.type !== 'request_resolved') done = false;
      open = !done;
      yield event;
    } else if (step.step === 'opened') {
      const nothing = step.response.status === 204;
      told = open && (nothing || !isResumed(step.response));
      if (told) {
        open = false;
        yield { type: 'reset' };
      }
      // A kernel never responds this way to `follow`: the response came from something else, so retry.
      if (nothing && !follow) return;
    } else if (done && !follow) return;
  }
}
