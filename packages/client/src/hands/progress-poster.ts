/** Posts snapshots of a command's output to the kernel: one after the other, and a few a second. */

export class ProgressPoster {
  readonly #post: (output: string) => Promise<unknown>;
  readonly #everyMs: number;
  #latest: string | undefined;
  /** True while a snapshot is posted, and until the next may be. */
  #busy = false;
  #ended = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #posted: Promise<unknown> = Promise.resolve();

  /** @param post is not repeated where it fails: a newer snapshot follows, or the result */
  constructor(post: (output: string) => Promise<unknown>, everyMs = 250) {
    this.#post = post;
    this.#everyMs = everyMs;
  }

  /** Posts the first at once, then the newest every so often; on a slow line less often. */
  show(output: string): void {
    if (this.#ended) return;
    this.#latest = output;
    if (!this.#busy) this.#send();
  }

  /** Posts no more; resolves when the last post has arrived, so that the result comes after it. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#posted;
  }

  #send(): void {
    const output = this.#latest;
    this.#latest = undefined;
    this.#busy = output !== undefined;
    if (output === undefined) return;
    this.#posted = this.#post(output)
      .catch(() => {})
      .then(() => {
        if (!this.#ended) this.#timer = setTimeout(() => this.#send(), this.#everyMs);
      });
  }
}
