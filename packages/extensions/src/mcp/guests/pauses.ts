/** The pauses of a guest between its attempts to connect. What the last attempt lacked may come meanwhile, and ends a pause. */
import type { Clock } from '@chat-kernel/kernel';
import { Backoff } from '../../pace/backoff.ts';
import { FIRST_PAUSE_MS, GOOD_AFTER_MS, LONGEST_PAUSE_MS } from '../rules/limits.ts';

export class Pauses {
  readonly #backoff = new Backoff({
    firstMs: FIRST_PAUSE_MS,
    longestMs: LONGEST_PAUSE_MS,
    steadyMs: GOOD_AFTER_MS,
  });
  readonly #clock: Clock;
  #end = () => {};
  /** The next pause is left out. */
  #hurries = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes for how long a connection held, in milliseconds. */
  held(ms: number): void {
    this.#backoff.held(ms);
  }

  /** Pauses. @param stop ends the pause */
  async next(stop: AbortSignal): Promise<void> {
    const ms = this.#backoff.next();
    if (!this.#hurries && !stop.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const cancel = this.#clock.after(ms, end);
      this.#end = end;
      stop.addEventListener('abort', end);
      await promise;
      stop.removeEventListener('abort', end);
      cancel();
    }
    this.#hurries = false;
  }

  /** Ends the pause, or leaves out the next one; those behind it begin with the shortest again. */
  hurry(): void {
    this.#backoff.reset();
    this.#hurries = true;
    this.#end();
  }
}
