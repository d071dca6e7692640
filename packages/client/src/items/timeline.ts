/** The list to draw: the history, and the turns that run in the place of their part of it. */
import type { Item } from '../api/types.ts';
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
  if (turn_id === null) return [...items, ...live];
  const last = items.findLastIndex(item => item.turn_id === turn_id);
  const end = last < 0 ? items.length : last + 1;
  const before = items.slice(0, end).filter(item => item.turn_id !== turn_id || !rulesOf(item).live);
  return [...before, ...live, ...items.slice(end)];
}
