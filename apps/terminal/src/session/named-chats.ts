/** Finds chats for the completion of @. */
import type { KernelClient } from '@chat-kernel/client';
import type { NamedChat } from '../editor/completion.ts';

const MAX_CHATS = 5;

/** Returns the latest chats whose titles contain the query. @param present is excluded @throws KernelApiError, ConnectionError */
export async function namedChats(
  client: KernelClient,
  words: string,
  present: string | undefined,
): Promise<NamedChat[]> {
  const { chats } = await client.listChats({ limit: 4 * MAX_CHATS, ...(words !== '' && { q: words }) });
  return chats
    .flatMap(({ id, title }) => (title === null || id === present ? [] : [{ id, title }]))
    .slice(0, MAX_CHATS);
}
