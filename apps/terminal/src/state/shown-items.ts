/** Selects the items to show. Printed lines cannot change, so items must arrive in their final order. */
import type { ChatSnapshot, Item } from '@chat-kernel/client';
import type { AppState } from './app-state.ts';
import { waitingItems } from './waiting-messages.ts';

export function shownItems(state: AppState): Item[] {
  const early = answersBeforeQuestion(state.snapshot);
  const begun = state.snapshot.items.filter(item => isShown(item) && !early.has(item));
  return [...begun, ...waitingItems(state)];
}

/**
 * Hides operations that need no decision, such as looking for project files at each turn. A file that is written in
 * chunks is one line.
 */
function isShown(item: Item): boolean {
  if (item.kind === 'user_message') return !item.waiting;
  if (item.kind !== 'client_op') return true;
  const { action, params } = item;
  if (action === 'list_up' || action === 'list_dir') return false;
  return !(action === 'write_bytes' && params.truncate === false);
}

/**
 * Items of the running turn that arrived before its message. Only the history contains the message, and a quick answer may
 * arrive before the history is loaded. If the turn has many items, its message is older than the loaded history.
 */
function answersBeforeQuestion({ turn, items }: ChatSnapshot): ReadonlySet<Item> {
  if (turn === null || turn.items.length > MANY_ITEMS) return NO_ITEMS;
  const isRequested = items.some(
    item => item.kind === 'user_message' && !item.waiting && item.turn_id === turn.turn_id,
  );
  return isRequested ? NO_ITEMS : new Set(turn.items);
}

/** Less than the messages of one page of history. */
const MANY_ITEMS = 30;
const NO_ITEMS: ReadonlySet<Item> = new Set();
