/** The requests that hands have begun, or that have ended. Bounded, because a stand-by program runs for months. */

/** Older requests are not sent again. */
const MAX_HISTORY = 10_000;

export class TakenRequests {
  /** Oldest first. */
  readonly #keys = new Set<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= MAX_HISTORY) break;
      this.#keys.delete(oldest);
    }
  }
}
