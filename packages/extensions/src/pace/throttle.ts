/** Passes on the latest of many values: the first at once, further ones at most every so often, the last one always. */
import type { Clock } from '@chat-kernel/kernel';

export class Latest<Value> {
  readonly #pauseMs: number;
  readonly #clock: Clock;
  readonly #pass: (value: Value) => void;
  #waiting: { value: Value } | undefined;
  /** Takes back the timer that runs since the last value was passed on. */
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(pauseMs: number, clock: Clock, pass: (value: Value) => void) {
    this.#pauseMs = pauseMs;
    this.#clock = clock;
    this.#pass = pass;
  }

  put(value: Value): void {
    if (this.#stopped) return;
    if (this.#cancel) this.#waiting = { value };
    else this.#now(value);
  }

  /** Nothing is passed on any more. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = undefined;
    this.#cancel?.();
  }

  #now(value: Value): void {
    this.#cancel = this.#clock.after(this.#pauseMs, () => {
      this.#cancel = undefined;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) this.#now(waiting.value);
    });
    this.#pass(value);
  }
}
