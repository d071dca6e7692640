/** Pauses a loop between two checks for work; the pause ends early when there is something new. */
import { pause } from './retry-policy.ts';

export class WakeablePause {
  #isWoken = false;
  #end: () => void = () => {};

  /** Ends this pause, or the next one, so that events during the loop's work are not missed. */
  wake(): void {
    this.#isWoken = true;
    this.#end();
  }

  /** An aborted signal ends the pause without an error. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isWoken && !signal.aborted) {
      const ending = new AbortController();
      this.#end = () => ending.abort();
      signal.addEventListener('abort', this.#end);
      await pause(ms, ending.signal);
      signal.removeEventListener('abort', this.#end);
    }
    this.#isWoken = false;
  }
}
