/** The wakes of all feeds, once a tick: what is new in them is journaled in one write, and then told. */

/** A log whose readers wait. */
interface Waking {
  /** Puts what is still pending into the log. */
  settle(): void;
  wake(): void;
}

export class Ticks {
  readonly #beforeTold: () => void;
  #due = new Set<Waking>();

  /** @param beforeTold called before anything is told */
  constructor(beforeTold: () => void = () => {}) {
    this.#beforeTold = beforeTold;
  }

  /** A log has something new. */
  schedule(log: Waking): void {
    if (this.#due.size === 0) setImmediate(() => this.#tick());
    this.#due.add(log);
  }

  /** A reader is about to take what is in its log. */
  telling(): void {
    this.#beforeTold();
  }

  #tick(): void {
    const due = this.#due;
    this.#due = new Set();
    for (const log of due) log.settle();
    this.#beforeTold();
    for (const log of due) log.wake();
  }
}
