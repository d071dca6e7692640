/** The steps of a turn by its original events. Each makes a provisional item only where the kernel has sent none. */
import { operationOf } from '../api/operation.ts';
import type { EventOf, Item, ItemOf, PlanTask } from '../api/types.ts';
import { UNFINISHED_RESULT } from './item-kinds.ts';
import {
  isProvisional,
  isText,
  openTextIndex,
  provisionalId,
  type TextItem,
  withItem,
} from './turn-items.ts';
import type { TurnView } from './turn-view.ts';

export function text(turn: TurnView, kind: TextItem['kind'], piece: string): TurnView {
  const index = openTextIndex(turn.items);
  const open = turn.items[index];
  if (open?.kind === kind && isText(open)) {
    const items = turn.items.with(index, { ...open, text: open.text + piece });
    return { ...turn, items, ahead: isProvisional(open) ? 0 : turn.ahead + piece.length };
  }
  return added(closeText(turn, 'completed'), { kind, status: 'running', text: piece });
}

export function call(turn: TurnView, { id, name, input }: EventOf<'tool_call'>): TurnView {
  if (callAt(turn, id) >= 0) return turn;
  return added(closeText(turn, 'completed'), {
    kind: 'tool_call',
    status: 'running',
    call_id: id,
    name,
    input,
    is_error: false,
  });
}

export function progress(turn: TurnView, { id, output }: EventOf<'tool_progress'>): TurnView {
  const index = callAt(turn, id);
  const item = turn.items[index];
  if (item?.kind !== 'tool_call' || item.status !== 'running') return turn;
  return { ...turn, items: turn.items.with(index, { ...item, progress: output }) };
}

export function result(turn: TurnView, { id, output, is_error }: EventOf<'tool_result'>): TurnView {
  const index = callAt(turn, id);
  const item = turn.items[index];
  if (item?.kind !== 'tool_call' || item.status !== 'running') return turn;
  const status = output === UNFINISHED_RESULT ? 'aborted' : is_error ? 'failed' : 'completed';
  const { progress: _, ...rest } = item;
  return { ...turn, items: turn.items.with(index, { ...rest, status, output, is_error }) };
}

export function image(turn: TurnView, { id, media_type, url }: EventOf<'image'>): TurnView {
  if (turn.items.some(item => item.kind === 'image' && item.image_id === id)) return turn;
  const closed = closeText(turn, 'completed');
  return added(closed, { kind: 'image', status: 'completed', image_id: id, media_type, url });
}

export function plan(turn: TurnView, tasks: PlanTask[]): TurnView {
  const index = turn.items.findLastIndex(item => item.kind === 'plan' && item.status === 'running');
  const item = turn.items[index];
  const next = { ...turn, plan: tasks };
  if (item?.kind !== 'plan') {
    return tasks.length === 0 ? next : added(next, { kind: 'plan', status: 'running', tasks });
  }
  const status = isProvisional(item) && tasks.length === 0 ? 'completed' : item.status;
  return { ...next, items: withItem(turn.items, index, { ...item, tasks, status }) };
}

export function operation(turn: TurnView, event: EventOf<'client_op'>): TurnView {
  if (turn.items.some(item => item.kind === 'client_op' && item.op_id === event.op_id)) return turn;
  const { chat_id: _, params, decisions, ...operation } = operationOf('', event);
  // Bytes are for the client that executes the operation, not for those that draw it.
  const { data: __, ...shown } = params;
  return added(turn, {
    kind: 'client_op',
    status: 'running',
    ...operation,
    params: shown,
    ...(decisions && { decisions: [...decisions] }),
  });
}

/** Closes the open text where no item event will. */
export function closeText(turn: TurnView, status: Item['status']): TurnView {
  const index = openTextIndex(turn.items);
  const open = turn.items[index];
  if (open === undefined || !isProvisional(open)) return turn;
  return { ...turn, items: turn.items.with(index, { ...open, status }) };
}

const callAt = ({ items }: TurnView, id: string): number =>
  items.findLastIndex(item => item.kind === 'tool_call' && item.call_id === id);

/** The fields of one kind, without those that all have. */
type FieldsOf<Kind extends Item['kind']> = Kind extends Item['kind']
  ? Omit<ItemOf<Kind>, 'id' | 'turn_id' | 'created_at'>
  : never;

function added(turn: TurnView, fields: FieldsOf<Item['kind']>): TurnView {
  const item = { id: provisionalId(turn.items), turn_id: turn.turn_id, created_at: '', ...fields } as Item;
  return { ...turn, items: [...turn.items, item] };
}
