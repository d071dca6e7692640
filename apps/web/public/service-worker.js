/**
 * Keeps the page itself for a start without the network: its files by their hashes, and the page as it was last. Nothing
 * of the kernel's API, no file and no picture is ever kept.
 */
const CACHE = 'chat-kernel-page-1';
const ROOT = new URL('./', self.location.href);

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== ROOT.origin) return;
  const path = url.pathname.slice(ROOT.pathname.length);
  if (path.startsWith('assets/')) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && isPage(path)) event.respondWith(page(request, path));
});

/** Addresses of the page; the others, such as the API reference, are the kernel's. */
const isPage = path =>
  path === '' || /^(chats\/[^/]+|settings|modules|persons|videos|books|usage)$/.test(path);

/** Named by its hash: what is kept is right. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    await forgetOld(cache);
  }
  return response;
}

/** The kernel first; without it the page as it was, which says that the kernel is away. */
async function page(request, path) {
  const cache = await caches.open(CACHE);
  // Pages of one depth are the same: their base differs from that of the others.
  const key = new URL(path.includes('/') ? './?chat' : './?top', ROOT);
  try {
    const response = await fetch(request);
    if (response.ok && response.headers.get('content-security-policy')?.includes('trusted-types')) {
      await cache.put(key, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}

/** Files of builds that are gone. */
async function forgetOld(cache) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - 60))) await cache.delete(key);
}

/** Word of the kernel: shown as it is, and a press opens the chat that it is about. */
self.addEventListener('push', event => {
  const { title, text, url } = event.data?.json() ?? {};
  const options = { body: text, icon: 'icon-192.png', tag: url, data: { url } };
  event.waitUntil(self.registration.showNotification(title || 'Chat Kernel', options));
});

self.addEventListener('notificationclick', event => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

/** In a page that is there already, where one is. Only below the root: where else it could lead is nobody's business. */
async function open(url) {
  const { pathname, hash } = new URL(url ?? './', ROOT);
  const within = pathname.startsWith(ROOT.pathname)
    ? pathname.slice(ROOT.pathname.length)
    : pathname.slice(1);
  const target = new URL(within + hash, ROOT).href;
  const [first] = await self.clients.matchAll({ type: 'window' });
  if (!first) return self.clients.openWindow(target);
  await first.focus();
  return first.navigate(target);
}
