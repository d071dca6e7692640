/** A key that does more where it is pressed twice. */

/** The longest time between the two presses. */
const TWICE_MS = 2000;

export class Twice {
  /** In milliseconds since 1970. */
  #last = Number.NEGATIVE_INFINITY;

  /** Counts a press. @returns whether it is the second; the next one is the first again */
  press(): boolean {
    const now = Date.now();
    const isSecond = now - this.#last < TWICE_MS;
    this.#last = isSecond ? Number.NEGATIVE_INFINITY : now;
    return isSecond;
  }

  /** Something else was done in between. */
  forget(): void {
    this.#last = Number.NEGATIVE_INFINITY;
  }
}
