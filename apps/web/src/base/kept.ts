/** What this device keeps between visits. A browser may refuse to keep anything; then a visit has no past. */
import { addressOf } from './place.ts';

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** @param value null or empty: nothing is kept any more */
export function keep(key: string, value: string | null): void {
  try {
    if (value) localStorage.setItem(PREFIX + key, value);
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // Full, or switched off.
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * The same for the service worker, which reads no localStorage: in a cache of its own, one writing after the other.
 * @param value null: nothing is kept any more
 */
export function keepForWorker(key: string, value: string | null): void {
  if (!('caches' in globalThis)) return;
  const name = `chat-kernel-${key}`;
  const write = async () => {
    if (value === null) await caches.delete(name);
    else await (await caches.open(name)).put(addressOf(`/${key}`), new Response(value));
  };
  last = last.then(write).catch(() => {});
}

const PREFIX = 'chat-kernel:';
