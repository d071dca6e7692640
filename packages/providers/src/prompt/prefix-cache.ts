/**
 * Remembers the result for a list of items, so that only the tail needs work when the list comes again and has grown:
 * the cost of a turn is not that of the history behind it.
 */
export class PrefixCache<Item extends object, Made> {
  /** A list for each first item; the entry goes when its chat leaves memory. */
  readonly #known = new WeakMap<Item, { items: readonly Item[]; made: Made }>();

  /** Returns the result for the beginning of these items, and how many of them it covers; undefined where none is known. */
  find(items: readonly Item[]): { made: Made; covers: number } | undefined {
    const known = items[0] && this.#known.get(items[0]);
    if (!known || known.items.length > items.length) return undefined;
    const same = known.items.every((item, index) => item === items[index]);
    return same ? { made: known.made, covers: known.items.length } : undefined;
  }

  /** Keeps the result for these items. The caller must not change either afterwards. */
  keep(items: readonly Item[], made: Made): void {
    if (items[0]) this.#known.set(items[0], { items, made });
  }
}
