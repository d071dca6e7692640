/** Logs each warning once, however often its reason occurs. */
import type { Log } from '@chat-kernel/kernel';

export class OnceLog {
  readonly #log: Log;
  readonly #logged = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Logs a warning, unless the same facts and sentence were logged before. */
  warn(facts: object, sentence: string): void {
    const key = JSON.stringify([facts, sentence]);
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.#log.warn(facts, sentence);
  }
}
