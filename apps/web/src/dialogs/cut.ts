/** Finds the point at which a fork or a rewind cuts a chat. */
import type { Item } from '@chat-kernel/client';
import { findMessageId } from '../rows/rows.ts';

interface Cut {
  /** The first message that is deleted, or not copied to the fork. Null: no message follows the item. */
  before: string | null;
  /** The items that are removed, as far as this page has loaded them. */
  gone: readonly Item[];
  /** The text of a removed user message, to edit and send again. */
  words: string;
}

/** The cut is before a user message, and after the message of any other item. */
export function cutAt(item: Item, items: readonly Item[]): Cut {
  const at = items.findIndex(({ id }) => id === item.id);
  const own = findMessageId(item);
  const isOwn = item.kind === 'user_message';
  const from = isOwn ? at : items.findIndex((other, index) => index > at && findMessageId(other) !== own);
  const first = from < 0 ? undefined : items[from];
  return {
    before: first ? findMessageId(first) : null,
    gone: from < 0 ? [] : items.slice(from),
    words: isOwn ? item.text : '',
  };
}
