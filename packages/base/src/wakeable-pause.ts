/** Pauses a loop between two checks for work; the pause ends early when there is something new. */
import { pause, systemTimer, type Timer } from './retry.ts';

export class WakeablePause {
  readonly #clock: Timer;
  #waking = new AbortController();

  constructor(clock: Timer = systemTimer) {
    this.#clock = clock;
  }

  /** Ends this pause, or the next one, so that events during the loop's work are not missed. */
  wake(): void {
    this.#waking.abort();
  }

  /** An aborted signal ends the pause without an error. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const end = () => this.wake();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
    await pause(ms, { clock: this.#clock, signal: this.#waking.signal }).catch(() => {});
    signal.removeEventListener('abort', end);
    this.#waking = new AbortController();
  }
}
