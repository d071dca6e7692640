/** Joins operations with the tool calls that caused them, so that each call is one row. */
import type { Item, ItemOf } from '@chat-kernel/client';

export type Operation = ItemOf<'client_op' | 'consent_request'>;
type Call = ItemOf<'tool_call'>;

export interface JoinedItems {
  /** The items that have rows of their own. */
  readonly items: readonly Item[];
  /** By the id of the call. */
  readonly operations: ReadonlyMap<string, readonly Operation[]>;
}

/** An operation names no call. It belongs to the last call with its command or path, or to the call right before it. */
export function joinOperations(all: readonly Item[]): JoinedItems {
  if (!all.some(isOperation)) return { items: all, operations: new Map() };
  const items: Item[] = [];
  const operations = new Map<string, Operation[]>();
  for (const item of all) {
    const call = isOperation(item) ? findCall(items, item) : undefined;
    if (!isOperation(item) || call === undefined) items.push(item);
    else operations.set(call.id, [...(operations.get(call.id) ?? []), item]);
  }
  return { items, operations };
}

const isOperation = (item: Item): item is Operation =>
  item.kind === 'client_op' || item.kind === 'consent_request';

function findCall(before: readonly Item[], { turn_id, agent, params }: Operation): Call | undefined {
  let nearest: Call | undefined;
  let isNear = true;
  for (let index = before.length - 1; index >= 0; index--) {
    const item = before[index]!;
    if (item.turn_id !== turn_id) break;
    // Text ends a step: the calls before it are done.
    isNear &&= item.kind === 'tool_call' || isOperation(item);
    if (item.kind !== 'tool_call' || item.agent !== agent) continue;
    if (mentions(item.input, params)) return item;
    if (isNear) nearest ??= item;
  }
  return nearest;
}

/** True if the input of a call has the command or the path of an operation. The operation may have a longer path. */
function mentions(input: unknown, { command, path }: Operation['params']): boolean {
  if (typeof input === 'string') {
    if (input === '') return false;
    return input === command || input === path || (typeof path === 'string' && path.endsWith(`/${input}`));
  }
  if (typeof input !== 'object' || input === null) return false;
  return Object.values(input).some(value => mentions(value, { command, path }));
}
