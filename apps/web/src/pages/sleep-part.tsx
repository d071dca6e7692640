/** The sleep of the kernel: since when, until when, which turns wait for it, and the ends of it. */
import { useState } from 'react';
import { Link } from 'wouter';
import { chatPath } from '../base/place.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

export function SleepPart() {
  const { client, sleep } = useKernel();
  const changed = useStore(sleep);
  const { value } = useLoaded(() => client.getSleep(), changed);
  const { act, busy } = useAct();
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const fallAsleep = () =>
    client.sleep({ ...(until && { until: new Date(until).toISOString() }), ...(reason && { reason }) });
  const waiting = value?.waiting ?? [];
  return (
    <Part title="Sleep" about="While the kernel sleeps, turns that run go on, and turns that arrive wait.">
      {value?.asleep ? (
        <p>
          Asleep{value.since ? ` since ${wholeTime(value.since)}` : ''}
          {value.until ? ` until ${wholeTime(value.until)}` : ' until it is woken'}
          {value.reason ? `: ${value.reason}` : '.'}
        </p>
      ) : (
        <InlineForm action="Sleep" onSubmit={fallAsleep}>
          <label className="field">
            Until
            <input type="datetime-local" value={until} onChange={event => setUntil(event.target.value)} />
          </label>
          <label className="field">
            Why
            <input
              value={reason}
              placeholder="Nobody needs to know"
              onChange={event => setReason(event.target.value)}
            />
          </label>
        </InlineForm>
      )}
      {waiting.length > 0 ? (
        <ul className="rows">
          {waiting.map(({ chat_id, turn_id }) => (
            <li key={turn_id}>
              <Link href={chatPath(chat_id)}>A turn waits here</Link>
            </li>
          ))}
        </ul>
      ) : null}
      {value?.asleep || waiting.length > 0 ? (
        <button type="button" disabled={busy} onClick={() => void act(() => client.wake())}>
          Wake
        </button>
      ) : null}
    </Part>
  );
}
