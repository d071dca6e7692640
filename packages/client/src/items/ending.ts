/** The end of a turn: nothing that is drawn stays running behind it. */
import type { EventOf, Item } from '../api/types.ts';
import { UNFINISHED_RESULT } from './original-steps.ts';
import type { TurnView } from './turn-view.ts';

export function ending(turn: TurnView, done: EventOf<'done'>): TurnView {
  return {
    ...turn,
    turn_id: done.turn_id,
    status: done.status,
    position: null,
    sleeping: null,
    compacting: false,
    ahead: 0,
    done,
    items: turn.items.map(item => (item.status === 'running' ? ended(item, done.status) : item)),
  };
}

/** Only where the item events are muted is anything open here. */
function ended(item: Item, how: EventOf<'done'>['status']): Item {
  switch (item.kind) {
    case 'tool_call':
      return { ...item, status: 'aborted', output: UNFINISHED_RESULT, is_error: true };
    case 'client_op':
      return { ...item, status: 'aborted' };
    case 'plan':
      return { ...item, status: how === 'completed' ? 'completed' : 'aborted' };
    default:
      return { ...item, status: how === 'cancelled' ? 'aborted' : how };
  }
}
