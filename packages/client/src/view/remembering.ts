/** The list to draw, the same object while nothing in it has changed. */
import type { Item } from '../api/types.ts';
import type { timeline } from '../items/timeline.ts';
import type { TurnView } from '../items/turn-view.ts';

/** The same list as long as it is made of the same. */
export function remembering(join: typeof timeline): typeof timeline {
  let made: { history: readonly Item[]; turns: readonly TurnView[]; items: readonly Item[] } | undefined;
  return (history, turns) => {
    if (made?.history !== history || made.turns !== turns) {
      made = { history, turns, items: join(history, turns) };
    }
    return made.items;
  };
}
