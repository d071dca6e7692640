/** The texts that were read last, so that the second part is one of the same text as the first. */
const MOST = 10;
const SECS = 15 * 60;

export class Recent<Value> {
  readonly #kept = new Map<string, { value: Value; at: number }>();

  keep(key: string, value: Value): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, at: performance.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Undefined where it is gone, or too old. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    return kept && performance.now() - kept.at < SECS * 1000 ? kept.value : undefined;
  }
}
