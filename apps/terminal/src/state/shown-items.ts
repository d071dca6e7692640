/** Which items stand on the screen. What is printed there is printed for good, so each has to come in its order. */
import type { ChatSnapshot, Item } from '@chat-kernel/client';
import type { AppState } from './app-state.ts';
import { waitingItems } from './waiting-messages.ts';

export function shownItems(state: AppState): Item[] {
  const early = answersBeforeQuestion(state.snapshot);
  return [...state.snapshot.items.filter(item => isShown(item) && !early.has(item)), ...waitingItems(state)];
}

/** Where the files of the project are is asked at each turn, and nobody decides it. */
const isShown = (item: Item): boolean => item.kind !== 'client_op' || item.action !== 'list_up';

/**
 * What a turn has told before its message was read: the message stands in the history alone, and a quick answer is
 * told before that is there. A turn that has told much is one whose message lies further back than the history reaches.
 */
function answersBeforeQuestion({ turn, items }: ChatSnapshot): ReadonlySet<Item> {
  if (turn === null || turn.items.length > MUCH) return NONE;
  const asked = items.some(item => item.kind === 'user_message' && item.turn_id === turn.turn_id);
  return asked ? NONE : new Set(turn.items);
}

/** Fewer items than the messages of the page that was read. */
const MUCH = 30;
const NONE: ReadonlySet<Item> = new Set();
