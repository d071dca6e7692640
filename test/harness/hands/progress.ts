/** Snapshots of what a command printed, on their way to the kernel: one after the other, and not too many. */

const EVERY_MS = 50;

export class Progress {
  readonly #post: (output: string) => Promise<void>;
  #latest: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #posted: Promise<void> = Promise.resolve();

  constructor(post: (output: string) => Promise<void>) {
    this.#post = post;
  }

  /** The first is posted at once, then the newest every 50 ms. */
  show(output: string): void {
    this.#latest = output;
    if (this.#timer === undefined) this.#send();
  }

  /** No more of it; resolves when all that was posted has arrived, so that the result comes behind it. */
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
    // Told by `end`.
    this.#posted.catch(() => {});
    this.#timer = setTimeout(() => this.#send(), EVERY_MS);
  }
}
