/** Finds and replaces items of a turn. Lists are immutable, because others hold references to them. */
import type { Item, ItemOf } from '../api/types.ts';
import { findRules } from './item-kinds.ts';

/** The items whose text the model writes. */
export type TextItem = ItemOf<'agent_message' | 'thinking'>;

/** Returns the id of an item made of original events; no kernel id has this prefix. */
export const provisionalId = (items: readonly Item[]): string => `~${items.length}`;
export const isProvisional = ({ id }: Item): boolean => id.startsWith('~');

/** Returns the list with the item at `index` replaced, or appended if the index is -1. */
export function withItem(items: readonly Item[], index: number, item: Item): readonly Item[] {
  return index < 0 ? [...items, item] : items.with(index, item);
}

/** Returns the index of the open text, of which the model writes one at a time; -1: there is none. */
export const openTextIndex = (items: readonly Item[]): number =>
  items.findLastIndex(item => isText(item) && item.status === 'running');

export const isText = (item: Item): item is TextItem => findRules(item).text;

/** Returns the index of the item, or of the provisional one that it replaces; -1: it is new. */
export function indexOfItem(items: readonly Item[], item: Item): number {
  const known = items.findLastIndex(({ id }) => id === item.id);
  if (known >= 0) return known;
  const { isSame } = findRules(item);
  return items.findLastIndex(
    other => isProvisional(other) && other.kind === item.kind && isSame(other, item),
  );
}
