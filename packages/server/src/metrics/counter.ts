/** A number for each combination of label values; it only grows. */
import type { Labels } from './exposition.ts';

export class Counter {
  readonly #samples = new Map<string, { labels: Labels; value: number }>();

  /** @param labels always with the same names in the same order */
  add(labels: Labels, amount = 1): void {
    const key = JSON.stringify(Object.values(labels));
    const sample = this.#samples.get(key);
    if (sample) sample.value += amount;
    else this.#samples.set(key, { labels, value: amount });
  }

  samples(): readonly { labels: Labels; value: number }[] {
    return [...this.#samples.values()];
  }
}
