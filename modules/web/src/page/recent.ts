/** Caches the last texts, so that the second part is of the same text as the first. */
import { BoundedMap } from '@chat-kernel/base';

const MAX_RECENT = 10;
const SECS = 15 * 60;

export class Recent<Value> {
  readonly #kept = new BoundedMap<string, { value: Value; at: number }>(MAX_RECENT);

  keep(key: string, value: Value): void {
    this.#kept.set(key, { value, at: performance.now() });
  }

  /** Undefined if it was evicted or has expired. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    return kept && performance.now() - kept.at < SECS * 1000 ? kept.value : undefined;
  }
}
