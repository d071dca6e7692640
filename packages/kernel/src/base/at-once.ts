/** Lets only so many pieces of work run at once; the others wait in their order. */

export class AtOnce {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins the work once there is room for it. Rejects with the reason of a signal that was aborted until then. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await new Promise<void>(begin => {
      this.#waiting.push(begin);
      this.#admit();
    });
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#working--;
      this.#admit();
    }
  }

  #admit(): void {
    while (this.#working < this.#most && this.#waiting.length > 0) {
      this.#working++;
      this.#waiting.shift()?.();
    }
  }
}
