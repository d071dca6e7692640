/** Notices a module that keeps ending soon after its start. */

const CRASHES = 5;
const WITHIN_MS = 60_000;

export class CrashCount {
  /** When it ended, in milliseconds; only the last WITHIN_MS. */
  #ends: number[] = [];

  /** Notes that it ended, and returns whether that makes too many ends within a minute. */
  ended(now: number): boolean {
    this.#ends = [...this.#ends, now].filter(at => at > now - WITHIN_MS);
    return this.#ends.length >= CRASHES;
  }

  reset(): void {
    this.#ends = [];
  }
}

export const TOO_MANY_CRASHES = `it ended ${CRASHES} times within a minute and is not started again by itself`;
