/** One list to draw: the history, and in its place what the turns that are told live have made so far. */
import type { Item } from '../api/types.ts';
import type { TurnView } from './turn-view.ts';

/**
 * While a turn is told live, what the history has of it already (the steps that ended) stands aside; only what its
 * user said is the history's (ITEM-5).
 */
export function timeline(history: readonly Item[], turns: readonly TurnView[]): readonly Item[] {
  return turns.reduce(withTurn, history);
}

function withTurn(items: readonly Item[], { turn_id, items: live }: TurnView): readonly Item[] {
  if (live.length === 0) return items;
  if (turn_id === null) return [...items, ...live];
  const last = items.findLastIndex(item => item.turn_id === turn_id);
  const end = last < 0 ? items.length : last + 1;
  const before = items.slice(0, end).filter(item => item.turn_id !== turn_id || item.kind === 'user_message');
  return [...before, ...live, ...items.slice(end)];
}
