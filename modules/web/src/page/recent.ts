/** Caches the last texts, so that the second part is of the same text as the first. */
const MAX_RECENT = 10;
const SECS = 15 * 60;

export class Recent<Value> {
  readonly #kept = new Map<string, { value: Value; at: number }>();

  keep(key: string, value: Value): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, at: performance.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_RECENT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Undefined if it was evicted or has expired. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    return kept && performance.now() - kept.at < SECS * 1000 ? kept.value : undefined;
  }
}
