/** Runs tasks concurrently, bounded by count and memory, and completes them in order. */

interface Entry {
  size: number;
  /** Resolves with a function that runs when all earlier tasks have completed. */
  work: Promise<() => void>;
}

export class OrderedPool {
  readonly #most: { count: number; size: number };
  #entries: Entry[] = [];
  #size = 0;

  /** @param most `size` limits the total, unless a single task is larger */
  constructor(most: { count: number; size: number }) {
    this.#most = most;
  }

  /**
   * Resolves when there was room and the work has started.
   * @param work resolves with a function that is called in order
   * @throws the error of the oldest work or of its completion
   */
  async begin(size: number, work: () => Promise<() => void>): Promise<void> {
    const { count, size: most } = this.#most;
    while (this.#entries.length > 0 && (this.#entries.length >= count || this.#size + size > most))
      await this.#endOldest();
    const begun = work();
    // The error is thrown when it is the oldest.
    begun.catch(() => {});
    this.#entries.push({ size, work: begun });
    this.#size += size;
  }

  /** Resolves when all tasks have completed. @throws as `begin` */
  async end(): Promise<void> {
    while (this.#entries.length > 0) await this.#endOldest();
  }

  /** Waits for all tasks and ignores errors. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#entries.map(({ work }) => work));
    this.#entries = [];
  }

  async #endOldest(): Promise<void> {
    const { size, work } = this.#entries.shift() as Entry;
    this.#size -= size;
    (await work)();
  }
}
