/** Limits how much work runs at once. Waiting work begins in the order in which it came. */

export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param max the number of slots */
  constructor(max: number) {
    this.#free = max;
  }

  /** How many callers wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a slot, which `release` returns. Undefined: one was free. Otherwise resolves when it is this caller's turn. */
  acquire(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise(resolve => this.#waiting.push(resolve));
    this.#free--;
    return undefined;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }

  /** Starts the work once a slot is free. Rejects with the reason of the signal if that is aborted before. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.acquire();
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.release();
    }
  }
}
