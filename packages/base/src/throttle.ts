/** Passes on the first value immediately, later ones at a limited rate, and the last one always. */
import type { Timer } from './retry.ts';

export class Throttle<Value> {
  readonly #pauseMs: number;
  readonly #clock: Timer;
  readonly #pass: (value: Value) => void;
  #waiting: { value: Value } | undefined;
  /** Cancels the timer of the delay. If undefined, there is no delay, and the next value is passed on immediately. */
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(pauseMs: number, clock: Timer, pass: (value: Value) => void) {
    this.#pauseMs = pauseMs;
    this.#clock = clock;
    this.#pass = pass;
  }

  put(value: Value): void {
    if (this.#stopped) return;
    if (this.#cancel) this.#waiting = { value };
    else this.#passOn(value);
  }

  /** Drops the pending value, and all later ones. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = undefined;
    this.#cancel?.();
  }

  #passOn(value: Value): void {
    this.#cancel = this.#clock.after(this.#pauseMs, () => {
      this.#cancel = undefined;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) this.#passOn(waiting.value);
    });
    this.#pass(value);
  }
}
