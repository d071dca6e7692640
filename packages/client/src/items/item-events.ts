/** Applies item events to a turn. Lists are immutable, because others hold references to them. */
import type { Delta, Item } from '../api/types.ts';
import type { TurnView } from './turn-view.ts';

/** A repeated start does not undo the growth of its item. */
export const started = (turn: TurnView, item: Item): TurnView =>
  indexOf(turn, item.id) >= 0 ? turn : withItem(turn, item);

/** Stores the completed item: it replaces what was shown of it. */
export const completed = (turn: TurnView, item: Item): TurnView => withItem(turn, item);

export function grown(turn: TurnView, id: string, delta: Delta): TurnView {
  const item = turn.items[indexOf(turn, id)];
  if (item?.status !== 'running') return turn;
  switch (delta.type) {
    case 'text':
      if (item.kind !== 'agent_message' && item.kind !== 'thinking') return turn;
      return withItem(turn, { ...item, text: item.text + delta.text });
    case 'progress':
      return item.kind === 'tool_call' ? withItem(turn, { ...item, progress: delta.output }) : turn;
    case 'plan':
      return item.kind === 'plan' ? withItem(turn, { ...item, tasks: delta.tasks }) : turn;
    default:
      delta satisfies never;
      return turn;
  }
}

/** Replaces the item, or appends a new one, and applies what it says about its turn and the plan of the chat. */
function withItem(turn: TurnView, item: Item): TurnView {
  const index = indexOf(turn, item.id);
  return {
    ...turn,
    turn_id: item.turn_id ?? turn.turn_id,
    ...(item.kind === 'plan' && { plan: item.tasks }),
    items: index < 0 ? [...turn.items, item] : turn.items.with(index, item),
  };
}

const indexOf = ({ items }: TurnView, id: string): number => items.findLastIndex(item => item.id === id);
