/** Items of a turn, found and replaced without changing the list that others hold. */
import type { Item, ItemOf } from '../api/types.ts';

/** Text that the model writes. */
export type TextItem = ItemOf<'agent_message' | 'thinking'>;

/** The id of an item that was made of original events; the kernel's own never begin so. */
export const ownId = (items: readonly Item[]): string => `~${items.length}`;
export const isOwn = ({ id }: Item): boolean => id.startsWith('~');

/** The one at `index` replaced, or with -1 a further one. */
export function placed(items: readonly Item[], index: number, item: Item): readonly Item[] {
  return index < 0 ? [...items, item] : items.with(index, item);
}

/** Where the open text is: the model writes one at a time. -1: nowhere. */
export const openText = (items: readonly Item[]): number =>
  items.findLastIndex(item => isText(item) && item.status === 'running');

export const isText = (item: Item): item is TextItem =>
  item.kind === 'agent_message' || item.kind === 'thinking';

/** Where the item stands that this one is, by its id or by what it stands for; -1: it is new. */
export function standing(items: readonly Item[], item: Item): number {
  const known = items.findLastIndex(({ id }) => id === item.id);
  return known >= 0 ? known : items.findLastIndex(other => isOwn(other) && isSame(other, item));
}

function isSame(own: Item, item: Item): boolean {
  switch (item.kind) {
    case 'tool_call':
      return own.kind === 'tool_call' && own.call_id === item.call_id;
    case 'client_op':
      return own.kind === 'client_op' && own.op_id === item.op_id;
    case 'image':
      return own.kind === 'image' && own.image_id === item.image_id;
    case 'agent_message':
    case 'thinking':
    case 'plan':
      return own.kind === item.kind && own.status === 'running';
    default:
      return false;
  }
}
