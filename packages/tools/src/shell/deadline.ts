/** Limits the time of the commands of a call. The time in which the owner decides does not count. */

export class Deadline {
  readonly #controller = new AbortController();
  #left: number;
  #since = 0;
  #holds = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  /** The time starts at once. */
  constructor(ms: number) {
    this.#left = ms;
    this.#run();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the time until `work` is done. */
  async except<T>(work: Promise<T>): Promise<T> {
    this.#holds++;
    if (this.#holds === 1) this.#pause();
    try {
      return await work;
    } finally {
      this.#holds--;
      if (this.#holds === 0) this.#run();
    }
  }

  /** The call is over: the time ends without consequence. */
  clear(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    if (this.#isOver) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(), this.#left);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}
