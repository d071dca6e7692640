/** Stops opened parts in reverse order. */
import type { Log } from '@chat-kernel/kernel';

export class StopStack {
  readonly #log: Log;
  readonly #stops: (() => unknown)[] = [];
  #stopping: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  push(stop: () => unknown): void {
    this.#stops.push(stop);
  }

  /** Stops all, the last first. Never rejects; a second call waits for the first. */
  stopAll(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) {
      try {
        await stop();
      } catch (error) {
        this.#log.error({ err: error }, 'a part did not stop cleanly');
      }
    }
  }
}
