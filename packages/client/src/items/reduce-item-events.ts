/** Applies item events to a turn. */
import type { Delta, Item } from '../api/types.ts';
import { indexOfItem, isText, openTextIndex, withItem } from './turn-items.ts';
import type { TurnView } from './turn-view.ts';

export function started(turn: TurnView, item: Item): TurnView {
  const index = indexOfItem(turn.items, item);
  // A repeated start must not undo the item's growth.
  if (turn.items[index]?.id === item.id) return turn;
  return known(turn, item, {
    items: withItem(turn.items, index, item),
    ...(isText(item) && { ahead: 0 }),
  });
}

export function grown(turn: TurnView, id: string, delta: Delta): TurnView {
  const index = turn.items.findLastIndex(item => item.id === id);
  const item = turn.items[index];
  if (item === undefined) return turn;
  switch (delta.type) {
    case 'text':
      return isText(item) ? withText(turn, index, delta.text) : turn;
    case 'progress':
      if (item.kind !== 'tool_call' || item.status !== 'running') return turn;
      return { ...turn, items: turn.items.with(index, { ...item, progress: delta.output }) };
    case 'plan':
      if (item.kind !== 'plan') return turn;
      return {
        ...turn,
        plan: delta.tasks,
        items: turn.items.with(index, { ...item, tasks: delta.tasks }),
      };
    default:
      delta satisfies never;
      return turn;
  }
}

/** Stores the completed item: it replaces what was shown of it. */
export function completed(turn: TurnView, item: Item): TurnView {
  const index = indexOfItem(turn.items, item);
  return known(turn, item, {
    items: withItem(turn.items, index, item),
    ...(isText(item) && { ahead: 0 }),
  });
}

function withText(turn: TurnView, index: number, text: string): TurnView {
  if (openTextIndex(turn.items) !== index) return turn;
  const shown = Math.min(turn.ahead, text.length);
  const item = turn.items[index]!;
  if (!isText(item) || shown === text.length) return { ...turn, ahead: turn.ahead - shown };
  const items = turn.items.with(index, { ...item, text: item.text + text.slice(shown) });
  return { ...turn, items, ahead: turn.ahead - shown };
}

/** Applies what every item of the kernel contains: its turn, and the plan of the chat. */
const known = (turn: TurnView, item: Item, change: Partial<TurnView>): TurnView => ({
  ...turn,
  turn_id: item.turn_id ?? turn.turn_id,
  ...(item.kind === 'plan' && { plan: item.tasks }),
  ...change,
});
