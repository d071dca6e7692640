/** The message that the address names: older pages are read until it is there. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { useEffect, useSyncExternalStore } from 'react';
import type { OpenChat } from '../kernel/open-chat.ts';

/** Returns the id of the message; null where the address names none. */
export function useHashTarget(
  chatId: string,
  { items, has_older, loading_older, loaded }: ChatSnapshot,
  open: OpenChat,
): string | null {
  const hash = useSyncExternalStore(watch, read);
  const target = hash.slice(1) || null;
  const isThere =
    target === null ||
    items.some(({ id }) => id.startsWith(target)) ||
    items.some(item => item.kind === 'user_message' && item.message_id === target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came is looked at
  useEffect(() => {
    if (loaded && !isThere && has_older && !loading_older) void open.view.loadOlder().catch(() => {});
  }, [chatId, isThere, has_older, loading_older, loaded, items.length]);
  return target;
}

const read = (): string => location.hash;

function watch(changed: () => void): () => void {
  const events = ['hashchange', 'popstate', 'pushState', 'replaceState'];
  for (const name of events) window.addEventListener(name, changed);
  return () => {
    for (const name of events) window.removeEventListener(name, changed);
  };
}
