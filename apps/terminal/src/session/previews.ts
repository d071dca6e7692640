/** Loads previews of the last messages for the list of chats. */
import type { Chat, KernelClient } from '@chat-kernel/client';

/** Limit of chats with a preview: as many as a tall window shows. */
const MAX_PREVIEWS = 20;
/** Limit of messages that are searched for the last text. */
const MESSAGES = 4;
const MAX_CHARS = 200;

/** Chat id → beginning of its last message. */
type Previews = ReadonlyMap<string, string>;

/** Returns a function that loads the previews of a list and caches unchanged chats. It never rejects. */
export function previewReader(client: KernelClient): (chats: readonly Chat[]) => Promise<Previews> {
  const known = new Map<string, Promise<string>>();
  const read = (chat: Chat): Promise<string> => {
    const key = `${chat.id} ${chat.updated_at} ${chat.last_message_at}`;
    const reading = known.get(key) ?? lastWords(client, chat.id);
    known.set(key, reading);
    return reading;
  };
  return async chats => {
    const shown = chats.slice(0, MAX_PREVIEWS);
    const texts = await Promise.all(shown.map(read));
    return new Map(shown.map(({ id }, index) => [id, texts[index]!]));
  };
}

async function lastWords(client: KernelClient, id: string): Promise<string> {
  try {
    const { items } = await client.listItems(id, { limit: MESSAGES });
    const lastMessage = items.findLast(({ kind }) => kind === 'agent_message' || kind === 'user_message');
    return lastMessage !== undefined && 'text' in lastMessage ? lastMessage.text.slice(0, MAX_CHARS) : '';
  } catch {
    // The list works without previews.
    return '';
  }
}
