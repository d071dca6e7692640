/** Where a chat is cut for a fork or a rewind at an item. */
import type { Item } from '@chat-kernel/client';

interface Cut {
  /** The first message that goes, or that the branch does not have; null: there is none behind the item. */
  before: string | null;
  /** What goes with it, as far as this page has it. */
  gone: readonly Item[];
  /** The words of a message of a person that goes, to be written anew. */
  words: string;
}

/** A message of a person goes itself; behind everything else the next message does. */
export function cutAt(item: Item, items: readonly Item[]): Cut {
  const at = items.findIndex(({ id }) => id === item.id);
  const own = messageOf(item);
  const isOwn = item.kind === 'user_message';
  const from = isOwn ? at : items.findIndex((other, index) => index > at && messageOf(other) !== own);
  const first = from < 0 ? undefined : items[from];
  return {
    before: first ? messageOf(first) : null,
    gone: from < 0 ? [] : items.slice(from),
    words: isOwn ? item.text : '',
  };
}

const messageOf = (item: Item): string =>
  item.kind === 'user_message' ? item.message_id : (item.id.split(':')[0] ?? '');
