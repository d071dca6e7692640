/** The items of a chat as read so far: pages of its history, joined. Immutable. */
import type { Item, ItemPage } from '../api/types.ts';

export interface ItemHistory {
  /** Oldest first, without a gap. */
  readonly items: readonly Item[];
  /** Where the next older page ends; null: there is none. Undefined: nothing was read yet. */
  readonly before: string | null | undefined;
}

export const NO_HISTORY: ItemHistory = { items: [], before: undefined };

/**
 * The newest page, read again: it replaces all from its first item on, so that what a rewind took goes. Where it does
 * not join what was read, it is all there is: between them may be a gap.
 */
export function withNewest({ items, before }: ItemHistory, page: ItemPage): ItemHistory {
  const first = page.items[0];
  const join = first === undefined ? -1 : items.findIndex(({ id }) => id === first.id);
  if (join < 0) return { items: page.items, before: page.next_before };
  return { items: [...items.slice(0, join), ...page.items], before };
}

/** The page before. An empty one is the beginning of the chat. */
export function withOlder({ items }: ItemHistory, page: ItemPage): ItemHistory {
  return { items: [...page.items, ...items], before: page.next_before };
}
