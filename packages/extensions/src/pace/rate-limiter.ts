/** So much of something per second, and no more. */
import type { Clock } from '@chat-kernel/kernel';

const SECOND_MS = 1000;

export class Allowance {
  readonly #perSecond: number;
  readonly #clock: Clock;
  #since = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Whether there was still something to take in this second. What is taken counts either way. */
  take(amount = 1): boolean {
    const now = this.#clock.now();
    if (now - this.#since >= SECOND_MS) {
      this.#since = now;
      this.#used = 0;
    }
    this.#used += amount;
    return this.#used <= this.#perSecond;
  }

  /** Milliseconds until there is something to take again. */
  get restMs(): number {
    return Math.max(0, this.#since + SECOND_MS - this.#clock.now());
  }
}
