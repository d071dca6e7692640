/** Detects a module that repeatedly exits soon after its start. */

const CRASHES = 5;
const WITHIN_MS = 60_000;

export class CrashCount {
  /** The times of its exits in milliseconds, within the last WITHIN_MS. */
  #ends: number[] = [];

  /** Records an exit, and returns whether there were too many within a minute. */
  ended(now: number): boolean {
    this.#ends = [...this.#ends, now].filter(at => at > now - WITHIN_MS);
    return this.#ends.length >= CRASHES;
  }

  reset(): void {
    this.#ends = [];
  }
}

export const TOO_MANY_CRASHES = `it ended ${CRASHES} times within a minute and is no longer restarted automatically`;
