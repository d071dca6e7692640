/** Prints the whole chat: otherwise only the rows on the screen would be printed, and only loaded messages. */
import type { ChatSnapshot, Item, ItemPage } from '@chat-kernel/client';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toKernelUrl } from '../base/paths.ts';
import { isPressed } from '../base/shortcuts.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { useKeys } from '../parts/use-keys.ts';
import { Rows } from '../rows/rows.ts';
import type { Printed } from '../transcript/transcript.tsx';

interface Print {
  /** Null unless the page prints. */
  printed: Printed | null;
  /** Opens the dialog of the browser once all images are loaded. */
  print(): Promise<void>;
}

/** Longest wait for images, milliseconds. */
const MAX_WAIT_MS = 5000;

export function usePrint({ token }: Kernel, chatId: string, snapshot: ChatSnapshot): Print {
  const [printed, setPrinted] = useState<Printed | null>(null);
  const newest = useRef({ snapshot, printed });
  newest.current = { snapshot, printed };
  const { begin, end, print } = useRef({
    begin() {
      if (newest.current.printed) return;
      const older = readOlder(chatId, newest.current.snapshot, token);
      flushSync(() => setPrinted(older));
    },
    end: () => flushSync(() => setPrinted(null)),
    async print() {
      begin();
      await Promise.race([
        Promise.all([...document.images].map(loadImage)),
        new Promise(resolve => setTimeout(resolve, MAX_WAIT_MS)),
      ]);
      let isPrinted = false;
      window.addEventListener('beforeprint', () => (isPrinted = true), { once: true });
      window.print();
      // Some browsers have no printer, and others open the dialog later.
      if (!isPrinted) end();
    },
  }).current;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('beforeprint', begin, { signal });
    window.addEventListener('afterprint', end, { signal });
    matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()), { signal });
    return () => listening.abort();
  }, [begin, end]);
  useKeys(event => {
    if (!isPressed(event, 'print')) return;
    event.preventDefault();
    void print();
  });
  return { printed, print };
}

function readOlder(chatId: string, { items, has_older }: ChatSnapshot, token: string | null): Printed {
  const [first] = items;
  if (!has_older || first === undefined) return { older: [], isCut: false };
  try {
    return { older: new Rows().of(readItemsNow(chatId, first.id, token), null), isCut: false };
  } catch {
    return { older: [], isCut: true };
  }
}

async function loadImage(image: HTMLImageElement): Promise<void> {
  image.loading = 'eager';
  await image.decode().catch(() => {});
}

const MESSAGES_PER_PAGE = 500;

/**
 * Returns all items before an item, oldest first. The page waits for them: the browser prints immediately after
 * `beforeprint`, so nothing else would arrive.
 * @throws Error if the kernel is unreachable or refuses
 */
function readItemsNow(chatId: string, firstItem: string, token: string | null): readonly Item[] {
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
