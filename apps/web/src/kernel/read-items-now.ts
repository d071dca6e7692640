/** Reads items while the page waits: the browser prints immediately after `beforeprint`, so nothing else would arrive. */
import type { Item, ItemPage } from '@chat-kernel/client';
import { toKernelUrl } from '../base/paths.ts';

const MESSAGES_PER_PAGE = 500;

/**
 * Returns all items before an item, oldest first.
 * @throws Error if the kernel is unreachable or refuses
 */
export function readItemsNow(chatId: string, firstItem: string, token: string | null): readonly Item[] {
  const pages: (readonly Item[])[] = [];
  for (let before: string | null = firstItem; before !== null; ) {
    const page: ItemPage = readPage(chatId, before, token);
    pages.unshift(page.items);
    before = page.next_before;
  }
  return pages.flat();
}

function readPage(chatId: string, before: string, token: string | null): ItemPage {
  const query = new URLSearchParams({ limit: `${MESSAGES_PER_PAGE}`, before });
  const request = new XMLHttpRequest();
  request.open('GET', toKernelUrl(`/v1/chats/${encodeURIComponent(chatId)}/items?${query}`), false);
  if (token !== null) request.setRequestHeader('x-service-token', token);
  request.send();
  if (request.status !== 200) throw new Error(`The kernel answered ${request.status}.`);
  return JSON.parse(request.responseText) as ItemPage;
}
