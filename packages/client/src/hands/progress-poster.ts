/** Posts snapshots of a command's output to the kernel, one at a time and a few per second. */

export class ProgressPoster {
  readonly #post: (output: string) => Promise<unknown>;
  readonly #everyMs: number;
  #latest: string | undefined;
  /** True while a snapshot is being posted, and until the next one may be. */
  #busy = false;
  #ended = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #posted: Promise<unknown> = Promise.resolve();

  /** @param post call that is not repeated if it fails: a newer snapshot follows, or the result */
  constructor(post: (output: string) => Promise<unknown>, everyMs = 250) {
    this.#post = post;
    this.#everyMs = everyMs;
  }

  /** Posts the first snapshot immediately, then the newest at intervals; less often over a slow connection. */
  show(output: string): void {
    if (this.#ended) return;
    this.#latest = output;
    if (!this.#busy) this.#send();
  }

  /** Stops posting. Resolves when the last post has arrived, so that the result comes after it. */
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
