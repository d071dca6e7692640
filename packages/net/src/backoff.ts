/** Computes pauses between attempts: each is twice as long as the one before, up to a limit. */

interface BackoffLimits {
  firstMs: number;
  longestMs: number;
  /** A connection that lasted this long resets the pauses. */
  steadyMs: number;
}

export class Backoff {
  readonly #limits: BackoffLimits;
  #pauseMs: number;

  constructor(limits: BackoffLimits) {
    this.#limits = limits;
    this.#pauseMs = limits.firstMs;
  }

  /** Returns the pause before the next attempt, in milliseconds. */
  next(): number {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, this.#limits.longestMs);
    return pauseMs;
  }

  /** Reports how long a connection lasted. */
  held(ms: number): void {
    if (ms >= this.#limits.steadyMs) this.reset();
  }

  reset(): void {
    this.#pauseMs = this.#limits.firstMs;
  }
}
