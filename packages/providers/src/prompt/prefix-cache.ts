/**
 * Remembers what was made of a list, so that only the tail is worked on when the list comes again and has grown:
 * the cost of a turn is not that of the history behind it.
 */
export class Grown<Item extends object, Made> {
  /** By the first item: one list each, which goes when its chat leaves memory. */
  readonly #known = new WeakMap<Item, { items: readonly Item[]; made: Made }>();

  /** What was made of the beginning of these items, and how many of them that is; undefined where nothing was. */
  find(items: readonly Item[]): { made: Made; covers: number } | undefined {
    const known = items[0] && this.#known.get(items[0]);
    if (!known || known.items.length > items.length) return undefined;
    const same = known.items.every((item, index) => item === items[index]);
    return same ? { made: known.made, covers: known.items.length } : undefined;
  }

  /** Keeps what was made of these items. Never change either afterwards. */
  keep(items: readonly Item[], made: Made): void {
    if (items[0]) this.#known.set(items[0], { items, made });
  }
}
