/** Chats that a message can name, as the menu of @ offers them. */
import type { KernelClient } from '@chat-kernel/client';
import type { NamedChat } from '../editor/completion.ts';

const MOST = 5;

/** The newest whose titles hold the words; without words the newest of all. @param present is left out @throws KernelApiError, BrokenLine */
export async function namedChats(
  client: KernelClient,
  words: string,
  present: string | undefined,
): Promise<NamedChat[]> {
  const { chats } = await client.listChats({ limit: 4 * MOST, ...(words !== '' && { q: words }) });
  return chats
    .flatMap(({ id, title }) => (title === null || id === present ? [] : [{ id, title }]))
    .slice(0, MOST);
}
