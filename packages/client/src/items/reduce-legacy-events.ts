/** Applies original events to a turn. Each creates a provisional item unless the kernel has sent the real one. */
import { type OperationEvent, toOperation } from '../api/operation.ts';
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

/** Adds the model of the request to its texts, and the usage to the one that ends it. Items of the kernel have both. */
export function billed(turn: TurnView, { model, ...usage }: NonNullable<TurnView['usage']>): TurnView {
  const last = turn.items.at(-1);
  const items = turn.items.map((item): Item => {
    if (item.kind !== 'agent_message' || item.model !== undefined || !isProvisional(item)) return item;
    return { ...item, model, ...(item === last && { usage }) };
  });
  return { ...turn, items };
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

export function operation(turn: TurnView, event: OperationEvent): TurnView {
  const { type: kind } = event;
  if (turn.items.some(item => item.kind === kind && item.op_id === event.op_id)) return turn;
  const { chat_id: _, params, ...operation } = toOperation('', event);
  // Only the client that executes the operation needs its bytes, not those that display it.
  const { data: __, ...shown } = params;
  return added(turn, { kind, status: 'running', ...operation, params: shown } as FieldsOf<typeof kind>);
}

/** Shows how the request of an operation ended. */
export function resolved(turn: TurnView, resolution: EventOf<'request_resolved'>): TurnView {
  const { id, reason, decision } = resolution;
  const items = turn.items.map((item): Item => {
    if (!isOperation(item) || item.op_id !== id || item.status !== 'running') return item;
    const status = statusAfter(resolution);
    return { ...item, status, resolution: { reason }, ...(decision !== undefined && { decision }) };
  });
  return { ...turn, items };
}

const isOperation = (item: Item): item is ItemOf<'client_op' | 'consent_request'> =>
  item.kind === 'client_op' || item.kind === 'consent_request';

/** Returns the status of an operation that ended this way. Only its item shows whether an answered one failed. */
function statusAfter({ reason, decision }: EventOf<'request_resolved'>): Item['status'] {
  switch (reason) {
    case 'answered':
      return decision === 'deny' ? 'failed' : 'completed';
    case 'expired':
      return 'failed';
    case 'turn_ended':
    case 'cancelled':
      return 'aborted';
    default:
      return reason satisfies never;
  }
}

/** Closes the open text if no item event will do so. */
function closeText(turn: TurnView, status: Item['status']): TurnView {
  const index = openTextIndex(turn.items);
  const open = turn.items[index];
  if (open === undefined || !isProvisional(open)) return turn;
  return { ...turn, items: turn.items.with(index, { ...open, status }) };
}

const callAt = ({ items }: TurnView, id: string): number =>
  items.findLastIndex(item => item.kind === 'tool_call' && item.call_id === id);

/** The fields of one kind, without the common ones. */
type FieldsOf<Kind extends Item['kind']> = Kind extends Item['kind']
  ? Omit<ItemOf<Kind>, 'id' | 'turn_id' | 'created_at'>
  : never;

function added(turn: TurnView, fields: FieldsOf<Item['kind']>): TurnView {
  const item = { id: provisionalId(turn.items), turn_id: turn.turn_id, created_at: '', ...fields } as Item;
  return { ...turn, items: [...turn.items, item] };
}
