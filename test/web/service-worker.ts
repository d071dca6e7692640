/** The service worker of a page in Chromium: word is delivered to it, its notifications are read and pressed. */
import type { PushWord } from '@chat-kernel/protocol';
import { expect } from 'vitest';
import type { Visit } from './open-page.ts';

interface WorkerScope {
  registration: {
    getNotifications(of: { tag: string }): Promise<Notification[]>;
  };
  clients: { openWindow(address: string): Promise<unknown> };
  opened: string[];
}
type Notification = { title: string; body: string; actions: { action: string; title: string }[] };

/** In the worker: the notification of an address. */
const SHOWN = async (tag: string) => {
  const { registration } = globalThis as unknown as WorkerScope;
  const [notification] = await registration.getNotifications({ tag });
  if (!notification) return null;
  const { title, body, actions } = notification;
  return { title, body, actions: actions.map(each => `${each.action}: ${each.title}`) };
};

/**
 * In the worker: presses a notification or one of its buttons. The protocol of the debugger has no press, so the worker gets
 * the event from itself; what comes before and behind it is real.
 */
const PRESS = async ({ tag, action }: { tag: string; action: string }) => {
  const { registration } = globalThis as unknown as WorkerScope;
  const [notification] = await registration.getNotifications({ tag });
  let work: Promise<unknown> | undefined;
  const waitUntil = (all: Promise<unknown>) => {
    work = all;
  };
  dispatchEvent(Object.assign(new Event('notificationclick'), { notification, action, waitUntil }));
  await work;
  const [left] = await registration.getNotifications({ tag });
  if (work === undefined || left) throw new Error('the notification is still there');
};

/** In the worker: notes the windows that it opens. Chromium opens one for a real press alone, so this is as far as it goes. */
const NOTE_WINDOWS = () => {
  const scope = globalThis as unknown as WorkerScope;
  scope.opened = [];
  scope.clients.openWindow = async address => void scope.opened.push(address);
};
const OPENED = () => (globalThis as unknown as WorkerScope).opened;

/** The service worker of a page that has settled, as the debugger of the browser reaches it; it outlives the page. */
export async function workerOf({ page }: Visit) {
  const { origin } = new URL(page.url());
  const context = page.context();
  await context.grantPermissions(['notifications'], { origin });
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  const [worker] = context.serviceWorkers();
  // Of a page beside it, which is none of the worker's.
  const cdp = await context.newCDPSession(await context.newPage());
  const known: { registrationId: string }[] = [];
  cdp.on('ServiceWorker.workerRegistrationUpdated', event => known.push(...event.registrations));
  await cdp.send('ServiceWorker.enable');
  await expect.poll(() => known.length).toBeGreaterThan(0);
  const { registrationId } = known[0]!;
  return {
    /** Delivers a word as the push service of the browser would, and returns what is shown then. */
    async deliver(word: PushWord): Promise<unknown> {
      const data = JSON.stringify(word);
      await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      const shown = () => worker!.evaluate(SHOWN, word.url);
      await expect.poll(shown).not.toBeNull();
      return shown();
    },
    noteWindows: () => worker!.evaluate(NOTE_WINDOWS),
    /** Addresses of windows that were opened since then. */
    opened: () => worker!.evaluate(OPENED),
    press: (word: PushWord, action = '') => worker!.evaluate(PRESS, { tag: word.url, action }),
  };
}
