/** Sends snapshots of the output of a command to the kernel, one at a time and at a limited rate. */

const EVERY_MS = 50;

export class Progress {
  readonly #post: (output: string) => Promise<void>;
  #latest: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #posted: Promise<void> = Promise.resolve();

  constructor(post: (output: string) => Promise<void>) {
    this.#post = post;
  }

  /** Posts the first snapshot immediately, then the newest one every 50 ms. */
  show(output: string): void {
    this.#latest = output;
    if (this.#timer === undefined) this.#send();
  }

  /** Stops further snapshots. Resolves when all posted ones have arrived, so that the result comes after them. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#posted;
  }

  #send(): void {
    const output = this.#latest;
    this.#latest = undefined;
    this.#timer = undefined;
    if (output === undefined) return;
    this.#posted = this.#posted.then(() => this.#post(output));
    // `end` reports the error.
    this.#posted.catch(() => {});
    this.#timer = setTimeout(() => this.#send(), EVERY_MS);
  }
}
