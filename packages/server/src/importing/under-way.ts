/** What is under way at once: so many things, and so much memory; each ends in the order in which it began. */

interface Entry {
  size: number;
  /** Resolves with what is to be done when all before it have ended. */
  work: Promise<() => void>;
}

export class UnderWay {
  readonly #most: { count: number; size: number };
  #entries: Entry[] = [];
  #size = 0;

  /** @param most `size`: of all together, unless one alone has more */
  constructor(most: { count: number; size: number }) {
    this.#most = most;
  }

  /**
   * Resolves once the work has begun, for which there was room.
   * @param work resolves with what is called in order
   * @throws what the oldest work, or its end, throws
   */
  async begin(size: number, work: () => Promise<() => void>): Promise<void> {
    const { count, size: most } = this.#most;
    while (this.#entries.length > 0 && (this.#entries.length >= count || this.#size + size > most))
      await this.#endOldest();
    const begun = work();
    // Told where its turn comes.
    begun.catch(() => {});
    this.#entries.push({ size, work: begun });
    this.#size += size;
  }

  /** Resolves when all has ended. @throws as `begin` */
  async end(): Promise<void> {
    while (this.#entries.length > 0) await this.#endOldest();
  }

  /** Waits for all, whatever becomes of it. */
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
