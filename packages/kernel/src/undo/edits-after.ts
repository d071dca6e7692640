/**
 * Finds the edits that a rewind removes: those of turns that are removed completely, and those of removed calls of a
 * partly removed turn.
 */
import type { NotedEdit, Store, StoredMessage, Undo } from '../ports/index.ts';

interface Removed {
  messages: StoredMessage[];
  /** Their edits, oldest first. */
  edits: NotedEdit[];
}

/** @param from the first removed message, which has a position */
export async function editsAfter(
  from: StoredMessage,
  { store, undo }: { store: Pick<Store, 'messages'>; undo: Undo },
): Promise<Removed> {
  const { chat_id, turn_id: cut } = from;
  const messages = await store.messages.listFrom(chat_id, from.position as number);
  const [first] = cut === null ? [] : await store.messages.listOfTurn(chat_id, cut);
  const turns = new Set(messages.map(({ turn_id }) => turn_id));
  if (first?.id !== from.id) turns.delete(cut);
  const calls = new Set(messages.filter(({ turn_id }) => turn_id === cut).flatMap(listCallIds));
  const edits = (await undo.noted(chat_id)).filter(
    ({ turn_id, call_id }) => turns.has(turn_id) || (turn_id === cut && calls.has(call_id)),
  );
  return { messages, edits };
}

const listCallIds = ({ content }: StoredMessage): string[] =>
  content.flatMap(block => (block.type === 'tool_use' ? [block.id] : []));
