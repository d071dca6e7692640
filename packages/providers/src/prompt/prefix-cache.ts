/**
 * Caches the result for a list of items. When the list is used again and has grown, only its new end needs work, so the
 * cost of a turn does not depend on its history.
 */
export class PrefixCache<Item extends object, Made> {
  /** A list for each first item; the entry is freed when its chat leaves memory. */
  readonly #known = new WeakMap<Item, { items: readonly Item[]; made: Made }>();

  /**
   * Returns the cached result for the beginning of these items, and how many of them it covers; undefined if there is
   * none.
   */
  find(items: readonly Item[]): { made: Made; covers: number } | undefined {
    const known = items[0] && this.#known.get(items[0]);
    if (!known || known.items.length > items.length) return undefined;
    const covers = known.items.length;
    for (let index = 0; index < covers; index++) if (known.items[index] !== items[index]) return undefined;
    return { made: known.made, covers };
  }

  /** Stores the result for these items. The caller must not change either afterwards. */
  keep(items: readonly Item[], made: Made): void {
    if (items[0]) this.#known.set(items[0], { items, made });
  }
}
