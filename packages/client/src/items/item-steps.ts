/** The steps of a turn as the item events tell them. */
import type { Item, Schema } from '../api/types.ts';
import { isText, openText, placed, standing } from './turn-items.ts';
import type { TurnView } from './turn-view.ts';

export function started(turn: TurnView, item: Item): TurnView {
  const index = standing(turn.items, item);
  // Told twice: it may have grown meanwhile.
  if (turn.items[index]?.id === item.id) return turn;
  return known(turn, item, {
    items: placed(turn.items, index, item),
    ...(isText(item) && { ahead: 0 }),
  });
}

export function grown(turn: TurnView, id: string, delta: Schema<'Delta'>): TurnView {
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

/** The truth about the item. */
export function completed(turn: TurnView, item: Item): TurnView {
  const index = standing(turn.items, item);
  return known(turn, item, {
    items: placed(turn.items, index, item),
    ...(isText(item) && { ahead: 0 }),
  });
}

function withText(turn: TurnView, index: number, text: string): TurnView {
  if (openText(turn.items) !== index) return turn;
  const told = Math.min(turn.ahead, text.length);
  const item = turn.items[index]!;
  if (!isText(item) || told === text.length) return { ...turn, ahead: turn.ahead - told };
  const items = turn.items.with(index, { ...item, text: item.text + text.slice(told) });
  return { ...turn, items, ahead: turn.ahead - told };
}

/** An item of the kernel names its turn, and a plan is one of the chat. */
const known = (turn: TurnView, item: Item, change: Partial<TurnView>): TurnView => ({
  ...turn,
  turn_id: item.turn_id ?? turn.turn_id,
  ...(item.kind === 'plan' && { plan: item.tasks }),
  ...change,
});
