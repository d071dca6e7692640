/** Lists the tools of a server again when it announces a change: once for many changes, and again for later ones. */
import type { Clock } from '@chat-kernel/kernel';

/** Changes are announced in bursts: all within this time count as one. */
const REFRESH_AFTER_MS = 250;

export class ToolRefresh {
  readonly #clock: Clock;
  readonly #refresh: () => Promise<void>;
  #state: 'idle' | 'soon' | 'running' | 'again' = 'idle';

  /** @param refresh lists the tools; must not reject */
  constructor(clock: Clock, refresh: () => Promise<void>) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  request(): void {
    if (this.#state === 'running') this.#state = 'again';
    if (this.#state !== 'idle') return;
    this.#state = 'soon';
    this.#clock.after(REFRESH_AFTER_MS, () => void this.#run());
  }

  async #run(): Promise<void> {
    this.#state = 'running';
    await this.#refresh();
    const again = (this.#state as string) === 'again';
    this.#state = 'idle';
    if (again) this.request();
  }
}
