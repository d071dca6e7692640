/** Draws a sample with a seed, so that a run can be repeated. */

/**
 * Returns `count` of the usable items, or all of them, in the order of the draw. A larger sample with the same seed
 * begins with the smaller one.
 */
export function sample<Item>(
  items: readonly Item[],
  count: number,
  seed: number,
  isUsable: (item: Item) => boolean,
): Item[] {
  const random = mulberry32(seed);
  const rest = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && rest.length > 0) {
    const index = Math.floor(random() * rest.length);
    const item = rest[index]!;
    if (isUsable(item)) drawn.push(item);
    rest[index] = rest.at(-1)!;
    rest.pop();
  }
  return drawn;
}

/** A small generator with 32 bits of state: https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
