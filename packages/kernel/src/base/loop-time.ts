/**
 * Spreads work that becomes due at once, such as a hundred turns whose messages one sync has stored, over several turns
 * of the event loop: it must not be blocked for 50 ms (SAFE-7).
 */
import { setImmediate as nextTick } from 'node:timers/promises';

/** Work begins for this time in one turn of the event loop. */
const MAX_MS = 10;

export class LoopTime {
  /** When the first work of this turn of the event loop began; undefined: none did. */
  #began: number | undefined;

  /** Resolves when work may begin; undefined: now. */
  take(): Promise<void> | undefined {
    if (this.#began === undefined) {
      this.#began = performance.now();
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    return performance.now() - this.#began < MAX_MS ? undefined : nextTick().then(() => this.take());
  }
}
