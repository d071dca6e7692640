/** Word to this device when something waits or has ended, and which devices get it. */
import { useState } from 'react';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';
import { endpointHere, subscribeHere, unsubscribeHere } from './push-device.ts';
import { PushLog } from './push-log.tsx';

export function PushPart() {
  const { client, notices } = useKernel();
  const { act } = useAct();
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
      outcome === 'sent' ? 'A test is on its way.' : (detail ?? outcome),
      outcome === 'sent' ? 'info' : 'error',
    );
  };
  return (
    <Part
      title="Word to this device"
      about="A message when something waits for you, a long turn has ended, or a cap is reached."
    >
      {error ? <p className="error">{error}</p> : null}
      {isHere ? null : (
        <InlineForm action="Send word here" onSubmit={() => subscribeHere(client, name).then(reload)}>
          <label className="field">
            Name of this device
            <input value={name} placeholder="Phone" onChange={event => setName(event.target.value)} />
          </label>
        </InlineForm>
      )}
      <ul className="rows">
        {subscriptions.map(({ id, name: known, endpoint, created_at }) => (
          <li key={id}>
            <div>
              <strong>
                <bdi>{known ?? 'A browser'}</bdi>
              </strong>
              {endpoint === value?.here ? <span className="tag">this device</span> : null}
              <small>since {wholeTime(created_at)}</small>
            </div>
            <button type="button" onClick={() => void act(() => test(id))}>
              Test
            </button>
            <button type="button" onClick={() => void act(() => remove(id, endpoint))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <PushLog />
    </Part>
  );
}
