/** Selects the items to show. Printed lines cannot change, so items must arrive in their final order. */
import type { Item } from '@chat-kernel/client';
import type { AppState } from './app-state.ts';
import { waitingItems } from './waiting-messages.ts';

export function shownItems(state: AppState): Item[] {
  const items = state.snapshot.items.filter(isShown);
  const early = answersBeforeQuestions(items);
  const begun = items.filter(item => !early.has(item));
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
 * Items at the end whose messages are not loaded. Only the history contains the message of a turn, and quick answers may
 * arrive before it is loaded, also of more than one turn. If there are many such items, their message is older than the
 * loaded history.
 */
function answersBeforeQuestions(items: readonly Item[]): ReadonlySet<Item> {
  const messages = items.filter(item => item.kind === 'user_message');
  const asked = new Set(messages.map(({ turn_id }) => turn_id));
  const early = items.slice(items.findLastIndex(({ turn_id }) => asked.has(turn_id)) + 1);
  return new Set(early.length > MANY_ITEMS ? [] : early);
}

/** Less than the messages of one page of history. */
const MANY_ITEMS = 30;
