/** The end of a turn: no item stays running after it. */
import type { EventOf } from '../api/types.ts';
import { rulesOf } from './item-kinds.ts';
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
    items: turn.items.map(item =>
      item.status === 'running' ? rulesOf(item).ended(item, done.status) : item,
    ),
  };
}
