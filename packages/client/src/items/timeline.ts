/** The list to draw: the history, and the turns that run in the place of their part of it. */
import type { Item } from '../api/types.ts';
import { isWaiting } from './history.ts';
import { rulesOf } from './item-kinds.ts';
import type { TurnView } from './turn-view.ts';

/**
 * Returns the history with each live turn in its place. Steps of it that ended are in the history already: there they give
 * way to those of the turn, but for the message of the user, which no event of the turn has (ITEM-5).
 */
export function timeline(history: readonly Item[], turns: readonly TurnView[]): readonly Item[] {
  return turns.reduce(withTurn, history);
}

function withTurn(items: readonly Item[], { turn_id, items: live }: TurnView): readonly Item[] {
  if (live.length === 0) return items;
  const last = turn_id === null ? -1 : items.findLastIndex(item => item.turn_id === turn_id);
  const end = last < 0 ? endOfBegun(items) : last + 1;
  const before = items
    .slice(0, end)
    .filter(item => turn_id === null || item.turn_id !== turn_id || !rulesOf(item).live);
  return [...before, ...live, ...items.slice(end)];
}

/** Where the messages begin whose turns have not begun. */
function endOfBegun(items: readonly Item[]): number {
  const first = items.findIndex(isWaiting);
  return first < 0 ? items.length : first;
}
