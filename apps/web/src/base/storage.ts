/** Stores values on this device between visits. If the browser refuses storage, reads return null. */
import { toKernelUrl } from './paths.ts';

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** @param value null or empty: removes the stored value */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value) localStorage.setItem(PREFIX + key, value);
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // Storage is full or disabled.
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Stores a value for the service worker, which cannot read localStorage, in a cache. Writes run one after the other.
 * @param value null: removes the stored value
 */
export function keepForWorker(key: string, value: string | null): void {
  if (!('caches' in globalThis)) return;
  const name = `chat-kernel-${key}`;
  const write = async () => {
    if (value === null) await caches.delete(name);
    else await (await caches.open(name)).put(toKernelUrl(`/${key}`), new Response(value));
  };
  last = last.then(write).catch(() => {});
}

const PREFIX = 'chat-kernel:';
