/** The list to draw, the same object while its history and its turns are the same. */
import type { Item } from '../api/types.ts';
import { timeline } from '../items/timeline.ts';
import type { TurnView } from '../items/turn-view.ts';

/** Returns `timeline` with a memory of its last list. */
export function rememberedTimeline(): typeof timeline {
  let last: { history: readonly Item[]; turns: readonly TurnView[]; items: readonly Item[] } | undefined;
  return (history, turns) => {
    if (last?.history !== history || last.turns !== turns) {
      last = { history, turns, items: timeline(history, turns) };
    }
    return last.items;
  };
}
