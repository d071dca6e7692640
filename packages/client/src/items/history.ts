/** Joins the pages of a chat's history. Immutable. */
import type { Item, ItemPage } from '../api/types.ts';

export interface ItemHistory {
  /** Oldest first, without gaps. */
  readonly items: readonly Item[];
  /** The cursor of the next older page; null: there is none. Undefined: no page has been read. */
  readonly before: string | null | undefined;
}

export const NO_HISTORY: ItemHistory = { items: [], before: undefined };

/** True for a message whose turn has not begun. Such items come last, and move when their turns begin. */
export const isWaiting = (item: Item): boolean => item.kind === 'user_message' && item.waiting === true;

/**
 * Adds the newest page. It replaces all items from its first one on, so that items deleted by a rewind disappear. A
 * page that does not overlap replaces all items, because there may be a gap between them. A waiting message, or one
 * that waited, does not count as overlap: many items may have been inserted before it.
 */
export function withNewest({ items, before }: ItemHistory, page: ItemPage): ItemHistory {
  const first = page.items[0];
  const join =
    first === undefined || isWaiting(first)
      ? -1
      : items.findIndex(item => item.id === first.id && !isWaiting(item));
  if (join < 0) return { items: page.items, before: page.next_before };
  return { items: [...items.slice(0, join), ...page.items], before };
}

/** Adds the previous page. An empty one means the beginning of the chat. */
export function withOlder({ items }: ItemHistory, page: ItemPage): ItemHistory {
  return { items: [...page.items, ...items], before: page.next_before };
}
