/**
 * Wakes the readers of all feeds once per tick: writes new content to the journal in one write, then lets readers take
 * it.
 */

/** A log whose readers wait. */
interface Waking {
  /** Writes pending content to the log. */
  settle(): void;
  wake(): void;
}

export class FlushScheduler {
  readonly #beforeTold: () => void;
  #due = new Set<Waking>();

  /** @param beforeTold called before readers get new content */
  constructor(beforeTold: () => void = () => {}) {
    this.#beforeTold = beforeTold;
  }

  /** Schedules a wake for a log with new content. */
  schedule(log: Waking): void {
    if (this.#due.size === 0) setImmediate(() => this.#tick());
    this.#due.add(log);
  }

  /** Called when a reader is about to take the content of its log. */
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
