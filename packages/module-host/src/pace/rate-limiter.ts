/** Counts usage per second, and reports when it exceeds the limit. */
import type { Clock } from '@chat-kernel/kernel';

const SECOND_MS = 1000;

export class RateLimiter {
  readonly #perSecond: number;
  readonly #clock: Clock;
  #since = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Counts an amount, and returns whether it was within the limit of this second. The amount counts either way. */
  take(amount = 1): boolean {
    const now = this.#clock.now();
    if (now - this.#since >= SECOND_MS) {
      this.#since = now;
      this.#used = 0;
    }
    this.#used += amount;
    return this.#used <= this.#perSecond;
  }

  /** Milliseconds until the next second of the count. */
  get restMs(): number {
    return Math.max(0, this.#since + SECOND_MS - this.#clock.now());
  }
}
