/** Limits the time of a call. The timer stops while the owner is asked, who may take a day, and then starts again. */
import { TimedOut } from '@chat-kernel/json-rpc';
import type { Clock } from '@chat-kernel/kernel';

export class CallTime {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #over = new AbortController();
  #resting = 0;
  #cancel = () => {};

  constructor(ms: number, clock: Clock) {
    this.#ms = ms;
    this.#clock = clock;
    this.#begin();
  }

  /** Aborted with TimedOut when the time is up, or when the call is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  async rest<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#resting++;
    this.#cancel();
    try {
      return await work();
    } finally {
      this.#resting--;
      this.#begin();
    }
  }

  /** Ends the limit, because the call is over. */
  end(): void {
    this.#cancel();
    this.#over.abort();
  }

  #begin(): void {
    if (this.#resting > 0 || this.over.aborted) return;
    this.#cancel = this.#clock.after(this.#ms, () => this.#over.abort(new TimedOut(this.#ms)));
  }
}
