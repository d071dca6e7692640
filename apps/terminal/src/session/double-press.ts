/** Detects a double key press. */

/** Maximum time between the presses. */
const TWICE_MS = 2000;

export class DoublePress {
  /** In milliseconds since 1970. */
  #last = Number.NEGATIVE_INFINITY;

  /** Counts a press. @returns whether it is the second of a pair */
  press(): boolean {
    const now = Date.now();
    const isSecond = now - this.#last < TWICE_MS;
    this.#last = isSecond ? Number.NEGATIVE_INFINITY : now;
    return isSecond;
  }

  /** Resets after another action. */
  forget(): void {
    this.#last = Number.NEGATIVE_INFINITY;
  }
}
