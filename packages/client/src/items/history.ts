/** The pages of a chat's history that were read, joined. Immutable. */
import type { Item, ItemPage } from '../api/types.ts';

export interface ItemHistory {
  /** Oldest first, without a gap. */
  readonly items: readonly Item[];
  /** The cursor of the next older page; null: there is none. Undefined: no page was read yet. */
  readonly before: string | null | undefined;
}

export const NO_HISTORY: ItemHistory = { items: [], before: undefined };

/** Whether an item is a message whose turn has not begun: such items stand last, and move when their turns begin. */
export const isWaiting = (item: Item): boolean => item.kind === 'user_message' && item.waiting === true;

/**
 * Adds the newest page: it replaces all items from its first on, so that those which a rewind took go. A page that does
 * not join the items replaces all of them: between them may be a gap. No page joins at a message that waits, or waited,
 * for much may have come to stand before it.
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

/** Adds the page before. An empty one is the beginning of the chat. */
export function withOlder({ items }: ItemHistory, page: ItemPage): ItemHistory {
  return { items: [...page.items, ...items], before: page.next_before };
}
