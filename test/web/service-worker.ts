/** Drives the service worker of a page in Chromium: delivers push messages, and reads and presses notifications. */
import type { PushNotification } from '@chat-kernel/protocol';
import { expect } from 'vitest';
import type { Visit } from './open-page.ts';

interface WorkerScope {
  registration: {
    getNotifications(of: { tag: string }): Promise<Notification[]>;
    showNotification?(...of: unknown[]): Promise<void>;
  };
  shown: Promise<void>;
  clients: { openWindow(address: string): Promise<unknown>; matchAll(): Promise<unknown[]> };
  opened: string[];
}
type Notification = { title: string; body: string; actions: { action: string; title: string }[] };

/**
 * Runs in the worker: lets it record that it has shown its next notification. Chromium drops a notification for good if
 * notifications are read while it is being shown.
 */
const NOTE_SHOWN = () => {
  const scope = globalThis as unknown as WorkerScope;
  const { registration } = scope;
  scope.shown = new Promise(resolve => {
    registration.showNotification = (...of) => {
      // The method of every registration is left.
      delete registration.showNotification;
      const shown = registration.showNotification!(...of);
      resolve(shown);
      return shown;
    };
  });
};

/** Runs in the worker: returns the notification of an address, once it is shown. */
const SHOWN = async (tag: string) => {
  const { registration, shown } = globalThis as unknown as WorkerScope;
  await shown;
  const [notification] = await registration.getNotifications({ tag });
  if (!notification) return null;
  const { title, body, actions } = notification;
  return { title, body, actions: actions.map(each => `${each.action}: ${each.title}`) };
};

/**
 * Runs in the worker: presses a notification or one of its buttons. The debugger protocol has no press, so the worker
 * dispatches the event itself. Everything else is real.
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

/** Runs in the worker: records the windows that it opens, because Chromium opens windows only after a real press. */
const NOTE_WINDOWS = () => {
  const scope = globalThis as unknown as WorkerScope;
  scope.opened = [];
  scope.clients.openWindow = async address => void scope.opened.push(address);
};
const WINDOWS = async () => (await (globalThis as unknown as WorkerScope).clients.matchAll()).length;
const OPENED = () => (globalThis as unknown as WorkerScope).opened;

const SCRIPT_MS = 15_000 * Number(process.env.TEST_SLOWNESS ?? 1);
/** Rejects after a while and names the script: Chromium never answers for a worker that has stopped. */
async function answered<Answer>(script: string, answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the worker did not run ${script}`)), SCRIPT_MS);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

/** Returns the service worker of a page through the debugger. It outlives the page. */
export async function workerOf({ page }: Visit) {
  const { origin } = new URL(page.url());
  const context = page.context();
  await context.grantPermissions(['notifications'], { origin });
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  const [worker] = context.serviceWorkers();
  // Use the session of another page, which the worker does not control.
  const cdp = await context.newCDPSession(await context.newPage());
  // Chromium draws a page behind another one once per second, and each click waits until it is drawn.
  await page.bringToFront();
  const known: { registrationId: string }[] = [];
  cdp.on('ServiceWorker.workerRegistrationUpdated', event => known.push(...event.registrations));
  await cdp.send('ServiceWorker.enable');
  await expect.poll(() => known.length).toBeGreaterThan(0);
  const { registrationId } = known[0]!;
  return {
    /** Delivers a push message as the push service would, and returns the notification. */
    async deliver(word: PushNotification): Promise<unknown> {
      const data = JSON.stringify(word);
      await answered('NOTE_SHOWN', worker!.evaluate(NOTE_SHOWN));
      await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      return answered('SHOWN', worker!.evaluate(SHOWN, word.url));
    },
    /** Resolves once the worker knows that its windows are closed, which is some time after they are. */
    hasNoWindow: () => expect.poll(() => answered('WINDOWS', worker!.evaluate(WINDOWS))).toBe(0),
    noteWindows: () => answered('NOTE_WINDOWS', worker!.evaluate(NOTE_WINDOWS)),
    /** Returns the addresses of recorded windows. */
    opened: () => answered('OPENED', worker!.evaluate(OPENED)),
    press: (word: PushNotification, action = '') =>
      answered('PRESS', worker!.evaluate(PRESS, { tag: word.url, action })),
  };
}
