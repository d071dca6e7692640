/** Builds the list to display: the history, with live turns in place of their part of it. */
import type { Item } from '../api/types.ts';
import { isWaiting } from './history.ts';
import type { TurnView } from './turn-view.ts';

/**
 * Returns the history with each live turn inserted. Completed steps of the turn are already in the history. The turn's
 * items replace them, except for the user's message, which no event of the turn contains (ITEM-5).
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
    .filter(item => turn_id === null || item.turn_id !== turn_id || item.kind === 'user_message');
  return [...before, ...live, ...items.slice(end)];
}

/** Returns the index of the first message whose turn has not begun. */
function endOfBegun(items: readonly Item[]): number {
  const first = items.findIndex(isWaiting);
  return first < 0 ? items.length : first;
}
