/** Reads the history of a chat as messages of the AI SDK, for the initial state of a page. */
import type { Item, KernelClient } from '@chat-kernel/client';
import type { KernelUIMessage } from './message.ts';
import { partsOfUser, toPart } from './parts.ts';

interface HistoryOptions {
  /** Maximum number of kernel messages, counted from the newest; default 500. A turn with tools has several. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The kernel's maximum number of messages per page. */
const PAGE = 500;

/**
 * Reads the newest messages, oldest first. A user message has the kernel's id, and an answer has the id of its turn. So
 * a resumed stream continues the same message.
 */
export async function loadHistory(
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
  return groupMessages(pages.flat(), client.url);
}

/** Joins the items of a turn into one message. */
function groupMessages(items: readonly Item[], url: string): KernelUIMessage[] {
  const messages = new Map<string, KernelUIMessage>();
  for (const item of items) {
    if (item.kind === 'user_message') {
      messages.set(item.message_id, userMessage(item, url));
      continue;
    }
    const part = toPart(item, url);
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
