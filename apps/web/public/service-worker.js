/**
 * Caches the page and its assets, except for the largest, when it is installed, so that each address of the page opens offline. It never
 * caches API responses, files or images. It also shows push notifications, and answers requests from their buttons.
 *
 * The build adds `BUILD` in front of this file: its id, its assets, the addresses of the page, and reserved segments.
 */
const CACHE_PREFIX = 'chat-kernel-page-';
const CACHE = CACHE_PREFIX + BUILD.id;
/** Caches that stay: open pages of the previous build may still load its assets. */
const MAX_CACHES = 2;
const ROOT = new URL('./', self.location.href);
/** Navigation and installation wait no longer for the kernel. The page itself shows that it is unreachable. */
const MAX_WAIT_MS = 5000;

self.addEventListener('install', event => {
  self.skipWaiting();
  // Notifications must not wait for a slow network. The next navigation completes the cache.
  event.waitUntil(Promise.race([keepAll(), timeout()]).catch(() => {}));
});
self.addEventListener('activate', event => event.waitUntil(Promise.all([self.clients.claim(), forgetOld()])));

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== ROOT.origin) return;
  const path = url.pathname.slice(ROOT.pathname.length);
  if (path.startsWith('assets/')) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !BUILD.reserved.includes(path.split('/', 1)[0])) {
    event.respondWith(page(event, path));
  }
});

/** True for addresses of the page. */
const isPage = path =>
  BUILD.addresses.some(address => {
    const segments = address.split('/').slice(1);
    const sent = path.split('/');
    return (
      sent.length === segments.length &&
      segments.every((segment, at) => (segment.startsWith(':') ? sent[at] !== '' : segment === sent[at]))
    );
  });

/** Caches what is missing of the page and its assets. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const missing = BUILD.assets.map(name => new URL(name, ROOT).href).filter(url => !kept.has(url));
  await cache.addAll(missing);
  if (kept.has(ROOT.href)) return;
  const response = await fetch(ROOT, { cache: 'no-cache' });
  const names = (await response.clone().text()).match(/assets\/[\w.-]+/g) ?? [];
  // After an update of the kernel, the page may belong to a newer build than this worker.
  if (isOurs(response) && names.every(name => BUILD.assets.includes(name))) await cache.put(ROOT, response);
}

/** True for the page itself, unlike a sign-in or an error of a proxy. */
const isOurs = response =>
  response.ok && response.headers.get('content-security-policy')?.includes('trusted-types');

/** Removes the caches of older builds. */
async function forgetOld() {
  const names = (await caches.keys()).filter(name => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  for (const name of names.slice(0, Math.max(0, names.length - MAX_CACHES + 1))) await caches.delete(name);
}

/** Returns an asset, from a cache if possible: its name contains its hash. */
async function asset(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

/**
 * Loads the page from the kernel. If the kernel is unreachable, or a proxy answers for it, returns the cached page, which
 * shows that.
 */
async function page(event, path) {
  const loading = fetch(event.request);
  loading.catch(() => {});
  const isKnown = isPage(path);
  const kept = await keptPage(path);
  if (kept === null) return loading;
  try {
    const response = await (isKnown ? Promise.race([loading, timeout()]) : loading);
    if (isOurs(response)) event.waitUntil(keepAll().catch(() => {}));
    return isAnswer(response, isKnown) ? response : kept;
  } catch (error) {
    if (isKnown) return kept;
    throw error;
  }
}

/** False if a proxy answers that the kernel is unreachable, or the kernel's API that nothing is at this address. */
function isAnswer({ status, headers }, isKnown) {
  if (isKnown) return status < 502 || status > 504;
  return headers.get('content-type') !== 'application/problem+json' || (status !== 401 && status !== 404);
}

const timeout = () =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('timed out')), MAX_WAIT_MS));

/** Returns the cached page with a base for addresses of this depth. */
async function keptPage(path) {
  const kept = await caches.match(ROOT, { cacheName: CACHE, ignoreVary: true });
  if (!kept) return null;
  const depth = path.split('/').length - 1;
  const base = depth === 0 ? './' : '../'.repeat(depth);
  const text = (await kept.text()).replace('<base href="./">', `<base href="${base}">`);
  const headers = ['content-type', 'content-security-policy', 'permissions-policy'].map(name => [
    name,
    kept.headers.get(name) ?? '',
  ]);
  return new Response(text, { headers });
}

/** Shows a push message. A press opens its chat, or answers its request. */
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

/** The kernel decides which buttons are offered: Allow once only if the notification shows the whole command. */
async function show({ title, text, url, chat_id, request_id, workdir, reason, decisions = [] }) {
  const canAnswer = decisions.includes('deny') && (await isReached());
  const names = canAnswer ? [decisions.includes('allow') ? 'allow' : 'open', 'deny'] : [];
  await self.registration.showNotification(title || 'Chat Kernel', {
    body: [text, workdir && `in ${workdir}`, reason].filter(Boolean).join('\n'),
    icon: 'icon-192.png',
    tag: url,
    data: { url, chat_id, request_id },
    actions: names.map(name => ACTIONS[name]),
  });
}

/** Answers the request, or opens the page if that is not possible. */
async function press(action, { url, chat_id, request_id }) {
  const isDecision = action === 'allow' || action === 'deny';
  if (!isDecision || !(await decide(chat_id, { id: request_id, decision: action, client: 'notification' })))
    await open(url);
}

/**
 * True if the kernel accepted the answer. The body is checked, because a proxy may return 200 for anything. Tries twice:
 * the network of a device that was just woken up often drops the first request.
 */
async function decide(chatId, answer) {
  const send = () =>
    ask(`v1/chats/${encodeURIComponent(chatId)}/ops/result`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
  try {
    const response = await send().catch(send);
    return response.ok && (await response.json()).ok === true;
  } catch {
    return false;
  }
}

/** True if an answer can reach the kernel. False if the proxy needs a token that is not stored on this device. */
const isReached = () =>
  ask('v1/push', { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Sends a request with the token, if the page stored one for the worker. */
async function ask(path, options) {
  const kept = await caches.match('token', { cacheName: 'chat-kernel-token' });
  const token = kept && { 'x-service-token': await kept.text() };
  return fetch(new URL(path, ROOT), {
    ...options,
    headers: { ...options.headers, ...token },
    redirect: 'error',
  });
}

/** Opens an address in an existing window if there is one. Addresses outside the root are mapped into it. */
async function open(url) {
  const { pathname, search, hash } = new URL(url ?? './', ROOT);
  const within = pathname.startsWith(ROOT.pathname) ? pathname.slice(ROOT.pathname.length) : pathname;
  // An address that begins with two slashes names another host.
  const target = new URL(within.replace(/^\/+/, '') + search + hash, ROOT).href;
  const [first] = await self.clients.matchAll({ type: 'window' });
  if (!first) return self.clients.openWindow(target);
  // The browser may refuse focus some time after the press.
  await first.focus().catch(() => {});
  return first.navigate(target);
}
