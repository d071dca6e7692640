/** The turn that an item of a chat names: one of the chat itself, or one that a branch has from the chat before it. */
import type { Store, TurnRecord } from '../ports/index.ts';

/**
 * The copies in a branch keep the ids of their turns, which ran in the parent, or in a parent of that. Undefined where
 * this chat has nothing of such a turn, or the chat in which it ran was deleted.
 */
export async function turnOf(
  chatId: string,
  id: string,
  store: Pick<Store, 'chats' | 'messages' | 'turns'>,
): Promise<TurnRecord | undefined> {
  const own = await store.turns.get(chatId, id);
  if (own !== undefined || (await store.messages.listOfTurn(chatId, id)).length === 0) return own;
  let parent = (await store.chats.get(chatId))?.forked_from ?? null;
  while (parent !== null) {
    const turn = await store.turns.get(parent, id);
    if (turn !== undefined) return turn;
    parent = (await store.chats.get(parent))?.forked_from ?? null;
  }
  return undefined;
}
