/** Shows the sleep state of the kernel and its queued turns, and starts or ends sleep. */
import { useState } from 'react';
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

export function SleepPart() {
  const { client, sleep } = useKernel();
  const changed = useStore(sleep);
  const { value } = useLoaded(() => client.getSleep(), changed);
  const { act, busy } = useAction();
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const fallAsleep = () =>
    client.sleep({ ...(until && { until: new Date(until).toISOString() }), ...(reason && { reason }) });
  const waiting = value?.waiting ?? [];
  return (
    <Part title="Sleep" about="While asleep, running turns finish and new turns are queued.">
      {value?.asleep ? (
        <p>
          Asleep{value.since ? ` since ${wholeTime(value.since)}` : ''}
          {value.until ? ` until ${wholeTime(value.until)}` : ' until you wake it'}
          {value.reason ? `: ${value.reason}` : '.'}
        </p>
      ) : (
        <InlineForm action="Sleep" onSubmit={fallAsleep}>
          <TextField label="Until" type="datetime-local" value={until} onChange={setUntil} />
          <TextField label="Reason" value={reason} placeholder="Optional" onChange={setReason} />
        </InlineForm>
      )}
      {waiting.length > 0 ? (
        <ul className="rows">
          {waiting.map(({ chat_id, turn_id }) => (
            <li key={turn_id}>
              <Link href={chatPath(chat_id)}>Open queued turn</Link>
            </li>
          ))}
        </ul>
      ) : null}
      {value?.asleep || waiting.length > 0 ? (
        <Button label="Wake" disabled={busy} onClick={() => void act(() => client.wake())} />
      ) : null}
    </Part>
  );
}
