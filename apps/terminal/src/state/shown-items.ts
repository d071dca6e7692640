/** The items on the screen. A printed line cannot be changed, so each item has to come in its final order. */
import type { ChatSnapshot, Item } from '@chat-kernel/client';
import type { AppState } from './app-state.ts';
import { waitingItems } from './waiting-messages.ts';

export function shownItems(state: AppState): Item[] {
  const early = answersBeforeQuestion(state.snapshot);
  const begun = state.snapshot.items.filter(item => isShown(item) && !early.has(item));
  return [...begun, ...waitingItems(state)];
}

/**
 * The kernel looks for the project's files at each turn; the owner decides nothing about that operation. A file that is
 * written in pieces is one line.
 */
function isShown(item: Item): boolean {
  if (item.kind === 'user_message') return !item.waiting;
  if (item.kind !== 'client_op') return true;
  const { action, params } = item;
  if (action === 'list_up' || action === 'list_dir') return false;
  return !(action === 'write_bytes' && params.truncate === false);
}

/**
 * Items of the running turn that came before its message: the message stands in the history alone, and a quick answer
 * arrives before the history is read. A turn with many items is one whose message is further back than the history
 * that was read.
 */
function answersBeforeQuestion({ turn, items }: ChatSnapshot): ReadonlySet<Item> {
  if (turn === null || turn.items.length > MANY_ITEMS) return NO_ITEMS;
  const asked = items.some(
    item => item.kind === 'user_message' && !item.waiting && item.turn_id === turn.turn_id,
  );
  return asked ? NO_ITEMS : new Set(turn.items);
}

/** Less than the messages of one page of history. */
const MANY_ITEMS = 30;
const NO_ITEMS: ReadonlySet<Item> = new Set();
