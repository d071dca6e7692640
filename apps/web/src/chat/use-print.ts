/** Prints the whole chat: otherwise only the rows on the screen would be printed, and only loaded messages. */
import type { ChatView } from '@chat-kernel/client';
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { isPressed } from '../base/shortcuts.ts';
import { useKeys } from '../parts/use-keys.ts';

interface Print {
  /** True while the page prints: then all rows are rendered. */
  isPrinting: boolean;
  /** Opens the dialog of the browser once all messages and images are loaded. */
  print(): Promise<void>;
}

/** Longest wait for images, milliseconds. */
const MAX_WAIT_MS = 5000;

/** The browser's own command prints only what is loaded, because it does not wait. */
export function usePrint(view: ChatView): Print {
  const [isPrinting, setPrinting] = useState(false);
  const { begin, end, print } = useMemo(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => flushSync(() => setPrinting(false));
    const print = async () => {
      // The page names missing messages on paper.
      await loadAll(view).catch(() => {});
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
    };
    return { begin, end, print };
  }, [view]);
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
  return { isPrinting, print };
}

/** A page that adds nothing means that the view was closed. */
async function loadAll(view: ChatView): Promise<void> {
  for (let count = -1; view.getSnapshot().has_older && view.getSnapshot().items.length > count; ) {
    count = view.getSnapshot().items.length;
    await view.loadOlder();
  }
}

async function loadImage(image: HTMLImageElement): Promise<void> {
  image.loading = 'eager';
  await image.decode().catch(() => {});
}
