/** Enables notifications for this device, and lists all devices that get them. */
import type { KernelClient } from '@chat-kernel/client';
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

export function PushPart() {
  const { client, notices } = useKernel();
  const [name, setName] = useState('');
  const { value, error, reload } = useLoaded(async () => ({
    here: await endpointHere(),
    subscriptions: (await client.listPushSubscriptions()).subscriptions,
  }));
  const subscriptions = value?.subscriptions ?? [];
  const isHere = subscriptions.some(({ endpoint }) => endpoint === value?.here);
  const remove = async (id: string, endpoint: string) => {
    await client.unsubscribeFromPush(id);
    if (endpoint === value?.here) await unsubscribeHere();
    await reload();
  };
  const test = async (id: string) => {
    const { outcome, detail } = await client.testPush(id);
    notices.say(
      outcome === 'sent' ? 'Test notification sent.' : (detail ?? outcome),
      outcome === 'sent' ? 'info' : 'error',
    );
  };
  return (
    <Part
      title="Notifications"
      about="Sent when a request needs your answer, a long response finishes, or a spending limit is reached."
    >
      {error ? <p className="error">{error}</p> : null}
      {isHere ? null : (
        <InlineForm action="Enable notifications" onSubmit={() => subscribeHere(client, name).then(reload)}>
          <TextField label="Device name" value={name} placeholder="Phone" onChange={setName} />
        </InlineForm>
      )}
      <ul className="rows">
        {subscriptions.map(({ id, name: known, endpoint, created_at }) => (
          <li key={id}>
            <div>
              <strong>
                <bdi>{known ?? 'Browser'}</bdi>
              </strong>
              {endpoint === value?.here ? <span className="tag">this device</span> : null}
              <small>added {wholeTime(created_at)}</small>
            </div>
            <ActionButton label="Test" action={() => test(id)} />
            <ActionButton label="Remove" action={() => remove(id, endpoint)} />
          </li>
        ))}
      </ul>
      <PushLog />
    </Part>
  );
}

const registrationHere = async () => navigator.serviceWorker?.getRegistration();
const subscriptionHere = async () => (await registrationHere())?.pushManager?.getSubscription();

/** Returns the push endpoint of this browser, or null. */
const endpointHere = async () => (await subscriptionHere())?.endpoint ?? null;

/** @throws Error if the browser or the user denies notifications */
async function subscribeHere(client: KernelClient, name: string): Promise<void> {
  const registration = await registrationHere();
  if (!registration?.pushManager) throw new Error('Notifications require HTTPS.');
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications are blocked for this site.');
  const { public_key } = await client.getPushKey();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: public_key,
  });
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) throw new Error('The browser returned no notification keys.');
  await client.subscribeToPush({
    endpoint,
    keys: { p256dh, auth },
    ...(name.trim() && { name: name.trim() }),
  });
}

const unsubscribeHere = async () => (await subscriptionHere())?.unsubscribe();

/** Recent notifications to devices and to the commands in the settings. */
function PushLog() {
  const { client } = useKernel();
  const { value } = useLoaded(() => client.readPushLog());
  if (!value || value.sent.length === 0) return null;
  return (
    <details className="call">
      <summary>
        <strong>Recent notifications</strong>
      </summary>
      <ul className="rows inside">
        {value.sent.map(({ at, type, name, outcome, detail }) => (
          <li key={`${at} ${name} ${type}`}>
            <div>
              {type.replaceAll('_', ' ')} to <bdi>{name}</bdi>{' '}
              <span className={outcome === 'sent' ? 'tag up' : 'tag failed'}>{outcome}</span>
              <small>
                {wholeTime(at)} {detail}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
