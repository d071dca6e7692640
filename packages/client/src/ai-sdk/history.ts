/** The history of a chat as messages of the AI SDK, for a page to open with. */
import type { Item } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import type { KernelUIMessage } from './message.ts';
import { partOf, partsOfUser } from './parts.ts';

interface HistoryOptions {
  /** At most so many messages of the kernel, the newest; default 500. A turn with tools has several. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The most messages that the kernel gives in a page. */
const PAGE = 500;

/**
 * Reads the newest messages, oldest first. The ids are the kernel's: of a message its own, of an answer that of its turn,
 * so that a stream that is taken up again goes on with it.
 */
export async function historyOf(
  client: KernelClient,
  chatId: string,
  { limit = PAGE, signal }: HistoryOptions = {},
): Promise<KernelUIMessage[]> {
  const pages: Item[][] = [];
  let before: string | null | undefined;
  for (let left = limit; left > 0 && before !== null; left -= PAGE) {
    const query = { limit: Math.min(left, PAGE), ...(before !== undefined && { before }) };
    const page = await client.listItems(chatId, query, { signal });
    pages.unshift(page.items);
    before = page.next_before;
  }
  return messagesOf(pages.flat(), client.url);
}

/** Joins what a turn did to one message. */
function messagesOf(items: readonly Item[], url: string): KernelUIMessage[] {
  const messages = new Map<string, KernelUIMessage>();
  for (const item of items) {
    if (item.kind === 'user_message') {
      messages.set(item.message_id, userMessage(item, url));
      continue;
    }
    const part = partOf(item, url);
    if (part === undefined) continue;
    const { turn_id, created_at } = item;
    const id = turn_id ?? item.id;
    const message = messages.get(id) ?? {
      id,
      role: 'assistant',
      metadata: { created_at, ...(turn_id !== null && { turn_id }) },
      parts: [],
    };
    message.parts.push(part);
    messages.set(id, message);
  }
  return [...messages.values()];
}

function userMessage(item: Extract<Item, { kind: 'user_message' }>, url: string): KernelUIMessage {
  const { message_id, created_at, sender, waiting } = item;
  const metadata = {
    created_at,
    ...(sender !== undefined && { sender }),
    ...(waiting !== undefined && { waiting }),
  };
  return { id: message_id, role: 'user', metadata, parts: partsOfUser(item, url) };
}
