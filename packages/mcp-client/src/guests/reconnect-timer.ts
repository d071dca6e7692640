/**
 * Delays the attempts of a guest to connect. The cause of the last failure may disappear in the meantime, which ends a
 * delay.
 */
import { RetryBackoff, WakeablePause } from '@chat-kernel/base';
import type { Clock } from '@chat-kernel/kernel';
import { FIRST_PAUSE_MS, GOOD_AFTER_MS, LONGEST_PAUSE_MS } from '../rules/limits.ts';

export class ReconnectTimer {
  readonly #backoff = new RetryBackoff({ firstMs: FIRST_PAUSE_MS, maxMs: LONGEST_PAUSE_MS });
  readonly #pause: WakeablePause;

  constructor(clock: Clock) {
    this.#pause = new WakeablePause(clock);
  }

  /** Records how long a connection lasted, in milliseconds. */
  held(ms: number): void {
    if (ms >= GOOD_AFTER_MS) this.#backoff.reset();
  }

  /** Waits for the next delay. @param stop ends the delay */
  next(stop: AbortSignal): Promise<void> {
    return this.#pause.wait(this.#backoff.nextMs(), stop);
  }

  /** Ends the delay, or skips the next one; later delays start with the shortest again. */
  hurry(): void {
    this.#backoff.reset();
    this.#pause.wake();
  }
}
