/**
 * Delays the attempts of a guest to connect. The cause of the last failure may disappear in the meantime, which ends a
 * delay.
 */
import type { Clock } from '@chat-kernel/kernel';
import { Backoff } from '@chat-kernel/net';
import { FIRST_PAUSE_MS, GOOD_AFTER_MS, LONGEST_PAUSE_MS } from '../rules/limits.ts';

export class ReconnectTimer {
  readonly #backoff = new Backoff({
    firstMs: FIRST_PAUSE_MS,
    longestMs: LONGEST_PAUSE_MS,
    steadyMs: GOOD_AFTER_MS,
  });
  readonly #clock: Clock;
  #end = () => {};
  /** Whether to skip the next delay. */
  #hurries = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records how long a connection lasted, in milliseconds. */
  held(ms: number): void {
    this.#backoff.held(ms);
  }

  /** Waits for the next delay. @param stop ends the delay */
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

  /** Ends the delay, or skips the next one; later delays start with the shortest again. */
  hurry(): void {
    this.#backoff.reset();
    this.#hurries = true;
    this.#end();
  }
}
