/** What was last said in chats, for their list. */
import type { Chat, KernelClient } from '@chat-kernel/client';

/** Chats of a list that get a preview: as many as a high window shows. */
const MOST = 20;
/** Messages among which the last words are looked for. */
const MESSAGES = 4;
const MAX_CHARS = 200;

/** Chat id → the beginning of what was last said there. */
type Previews = ReadonlyMap<string, string>;

/** Returns a function that reads the previews of a list; what has not changed since is read once. It never rejects. */
export function previewReader(client: KernelClient): (chats: readonly Chat[]) => Promise<Previews> {
  const known = new Map<string, Promise<string>>();
  const read = (chat: Chat): Promise<string> => {
    const key = `${chat.id} ${chat.updated_at} ${chat.last_message_at}`;
    const reading = known.get(key) ?? lastWords(client, chat.id);
    known.set(key, reading);
    return reading;
  };
  return async chats => {
    const shown = chats.slice(0, MOST);
    const texts = await Promise.all(shown.map(read));
    return new Map(shown.map(({ id }, index) => [id, texts[index]!]));
  };
}

async function lastWords(client: KernelClient, id: string): Promise<string> {
  try {
    const { items } = await client.listItems(id, { limit: MESSAGES });
    const said = items.findLast(({ kind }) => kind === 'agent_message' || kind === 'user_message');
    return said !== undefined && 'text' in said ? said.text.slice(0, MAX_CHARS) : '';
  } catch {
    // The list is of use without it.
    return '';
  }
}
