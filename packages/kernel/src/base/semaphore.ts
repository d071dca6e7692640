/** Semaphore that runs waiting work in FIFO order. */

export class Semaphore {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Starts the work once a slot is free. Rejects with the reason of the signal if that is aborted before. */
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
