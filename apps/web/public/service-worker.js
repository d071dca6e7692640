/**
 * Keeps the page itself for a start without the network: its files by their hashes, and the page as it was last. Nothing
 * of the kernel's API, no file and no picture is ever kept. And it shows word of the kernel, whose requests it can answer.
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
  path === '' || /^(chats\/[^/]+|settings|modules|persons|videos|books|schedules|usage)$/.test(path);

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

/** Word of the kernel: shown as it is, and a press opens the chat that it is about, or answers what it asks. */
self.addEventListener('push', event => event.waitUntil(show(event.data?.json() ?? {})));

self.addEventListener('notificationclick', event => {
  event.notification.close();
  event.waitUntil(press(event.action, event.notification.data ?? {}));
});

const ACTIONS = {
  allow: { action: 'allow', title: 'Allow once' },
  open: { action: 'open', title: 'Open' },
  deny: { action: 'deny', title: 'Deny' },
};

/** The kernel says what may be decided by the word alone: allow only where it shows all that would run. */
async function show({ title, text, url, chat_id, request_id, workdir, decisions = [] }) {
  const canAnswer = decisions.includes('deny') && (await isReached());
  const names = canAnswer ? [decisions.includes('allow') ? 'allow' : 'open', 'deny'] : [];
  await self.registration.showNotification(title || 'Chat Kernel', {
    body: workdir ? `${text}\nin ${workdir}` : text,
    icon: 'icon-192.png',
    tag: url,
    data: { url, chat_id, request_id },
    actions: names.map(name => ACTIONS[name]),
  });
}

/** What cannot be answered from here is answered in the page. */
async function press(action, { url, chat_id, request_id }) {
  const isDecision = action === 'allow' || action === 'deny';
  if (!isDecision || !(await decide(chat_id, { id: request_id, decision: action }))) await open(url);
}

/** True where the kernel has taken the answer: a proxy may say yes to anything. */
async function decide(chatId, answer) {
  try {
    const response = await ask(`v1/chats/${encodeURIComponent(chatId)}/ops/result`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
    return response.ok && (await response.json()).ok === true;
  } catch {
    return false;
  }
}

/** Whether an answer would come through: not where the proxy wants a token that is not kept on this device. */
const isReached = () =>
  ask('v1/push', { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The token is there only where its owner has it kept on this device; the page puts it there. */
async function ask(path, options) {
  const kept = await caches.match('token', { cacheName: 'chat-kernel-token' });
  const token = kept && { 'x-service-token': await kept.text() };
  return fetch(new URL(path, ROOT), {
    ...options,
    headers: { ...options.headers, ...token },
    redirect: 'error',
  });
}

/** In a page that is there already, where one is. Only below the root: where else it could lead is nobody's business. */
async function open(url) {
  const { pathname, search, hash } = new URL(url ?? './', ROOT);
  const within = pathname.startsWith(ROOT.pathname)
    ? pathname.slice(ROOT.pathname.length)
    : pathname.slice(1);
  const target = new URL(within + search + hash, ROOT).href;
  const [first] = await self.clients.matchAll({ type: 'window' });
  if (!first) return self.clients.openWindow(target);
  // A browser may refuse the focus once the press is a while ago.
  await first.focus().catch(() => {});
  return first.navigate(target);
}
