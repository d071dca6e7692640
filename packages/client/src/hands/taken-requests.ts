/** The requests that hands have begun, or that have ended: bounded, for a program that stands by runs for months. */

/** An older request is asked no more. */
const REMEMBERED = 10_000;

export class TakenRequests {
  /** The oldest first. */
  readonly #keys = new Set<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= REMEMBERED) break;
      this.#keys.delete(oldest);
    }
  }
}
