/** Holds what logs of events have in common: readers at their own positions, which wait for more. */

export class WaitedLog {
  /** The number of readers that have not stopped. */
  readers = 0;
  #waiting = new Set<() => void>();

  /** Calls back once at the next wake. Adding the same callback again has no effect. */
  wait(callback: () => void): void {
    this.#waiting.add(callback);
  }

  /** Cancels a `wait`. */
  forget(callback: () => void): void {
    this.#waiting.delete(callback);
  }

  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const callback of waiting) callback();
  }
}

export class LogReader<Log extends Pick<WaitedLog, 'forget' | 'readers' | 'wait'>> {
  protected readonly log: Log;
  #callback: (() => void) | null = null;
  #stopped = false;

  constructor(log: Log) {
    this.log = log;
    log.readers++;
  }

  wait(callback: () => void): void {
    this.#callback = callback;
    this.log.wait(callback);
  }

  stop(): void {
    if (!this.#stopped) this.log.readers--;
    this.#stopped = true;
    if (this.#callback !== null) this.log.forget(this.#callback);
  }
}
