/** Defines what all parts of a start use, and stops opened parts in reverse order. */
import type { Clock, Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { EnvironmentVariables } from '@chat-kernel/settings';

export interface StartContext {
  settings: Settings;
  environment: EnvironmentVariables;
  log: Log;
  clock: Clock;
  /** Texts that no log, output or response may repeat. */
  secrets: readonly string[];
  stops: StopStack;
}

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
