/** This browser's own part of Web Push. */
import type { KernelClient } from '@chat-kernel/client';

/** The address under which this browser gets word; null: it gets none. */
export async function endpointHere(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription())?.endpoint ?? null;
}

/** @throws Error where the browser or its owner does not want that */
export async function subscribeHere(client: KernelClient, name: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.pushManager) throw new Error('This browser takes no messages; over HTTPS it may.');
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser shows no messages of this page.');
  const { public_key } = await client.getPushKey();
  const own = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: public_key,
  });
  const { endpoint, keys } = own.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) throw new Error('The browser gave no keys.');
  await client.subscribeToPush({
    endpoint,
    keys: { p256dh, auth },
    ...(name.trim() && { name: name.trim() }),
  });
}

export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
