/** Lists schedules and their runs. */
import type { Schedule } from '@chat-kernel/client';
import { describeCron } from '@chat-kernel/text';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton, Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { CheckField } from '../parts/field.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page } from './page.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { GrantSummary } from './schedule-grants.tsx';

export default function SchedulesPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const { value, error, reload } = useLoaded(() => client.listSchedules(), changed);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page title="Schedules" about="Messages sent automatically, as if you had typed them.">
      {error ? <p className="error">{error}</p> : null}
      {value?.schedules.length === 0 ? (
        <Empty title="No schedules yet.">
          <p>For example, a news summary every morning or a budget check once a week.</p>
        </Empty>
      ) : null}
      <ul className="rows">
        {value?.schedules.map(schedule => (
          <ScheduleRow key={schedule.id} schedule={schedule} changed={changed} onChanged={reload} />
        ))}
      </ul>
      <Button label="Add schedule" onClick={() => setAdding(true)} />
      {isAdding ? <ScheduleForm onClose={() => setAdding(false)} onSaved={reload} /> : null}
    </Page>
  );
}

interface RowProps {
  schedule: Schedule;
  /** Changes when schedules or runs have changed. */
  changed: number;
  onChanged(): Promise<void>;
}

function ScheduleRow({ schedule, changed, onChanged }: RowProps) {
  const { client } = useKernel();
  const { act } = useAction();
  const [, go] = useLocation();
  const [open, setOpen] = useState<'edit' | 'runs' | null>(null);
  const { id, text, title, enabled } = schedule;
  // Optimistic: replaced by the kernel's value.
  const [isOn, setOn] = useState(enabled);
  useEffect(() => setOn(enabled), [enabled]);
  const switchTo = async (on: boolean) => {
    setOn(on);
    const done = await act(() => client.patchSchedule(id, { enabled: on }).then(onChanged));
    if (!done) setOn(enabled);
  };
  const close = () => setOpen(null);
  const run = async () => go(chatPath((await client.runSchedule(id)).chat_id));
  return (
    <li>
      <div>
        <strong>
          <bdi>{title ?? text}</bdi>
        </strong>
        <Times schedule={schedule} />
        <GrantSummary grants={schedule.grants} />
        {open === 'runs' ? <Runs id={id} changed={changed} /> : null}
      </div>
      <CheckField label="On" checked={isOn} onChange={on => void switchTo(on)} />
      <ActionButton label="Run now" action={run} />
      <Button
        label="Runs"
        aria-expanded={open === 'runs'}
        onClick={() => setOpen(open === 'runs' ? null : 'runs')}
      />
      <Button label="Edit" onClick={() => setOpen('edit')} />
      <ConfirmButton
        label="Delete"
        title="Delete this schedule?"
        action="Delete"
        onConfirm={() => client.deleteSchedule(id).then(onChanged)}
      >
        <p>
          <bdi>{text}</bdi> will no longer be sent. Chats of earlier runs are kept.
        </p>
      </ConfirmButton>
      {open === 'edit' ? <ScheduleForm schedule={schedule} onClose={close} onSaved={onChanged} /> : null}
    </li>
  );
}

/** Shows when a schedule runs, in words where there are some; the cron line on request. */
function Times({ schedule }: { schedule: Schedule }) {
  const { cron, at, timezone, enabled, problem, next_at, last } = schedule;
  const zone = timezone === HERE ? '' : ` (${timezone})`;
  const words = cron === null ? null : describeCron(cron);
  const when = cron === null ? (at ? wholeTime(at) : '') : `${words ?? cron}${zone}`;
  const next = next_at === null ? 'ended' : cron === null ? 'once' : `next: ${wholeTime(next_at)}`;
  const rest = [enabled ? next : (problem ?? 'off'), ...(last ? [`last run: ${last.status}`] : [])];
  const text = [when, ...rest].join(' · ');
  if (words === null) return <small>{text}</small>;
  return (
    <details className="times">
      <summary>{text}</summary>
      <code>{cron}</code> in {timezone}
    </details>
  );
}

/** The time zone of this device. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Runs({ id, changed }: { id: string; changed: number }) {
  const { client } = useKernel();
  const [limit, setLimit] = useState(20);
  const { value, error } = useLoaded(() => client.listScheduleRuns(id, { limit }), `${changed} ${limit}`);
  const runs = value?.runs ?? [];
  return (
    <>
      {error ? <p className="error">{error}</p> : null}
      {value && runs.length === 0 ? <p className="hint">No runs yet.</p> : null}
      <ul className="rows" aria-label="Runs">
        {runs.map(({ due_at, status, chat_id, error: failure }) => (
          <li key={due_at}>
            <div>
              {wholeTime(due_at)}: {status}
              {failure ? <small>{failure.message}</small> : null}
            </div>
            {chat_id ? <Link href={chatPath(chat_id)}>Open chat</Link> : null}
          </li>
        ))}
      </ul>
      {runs.length === limit && limit < 500 ? (
        <Button label="Load more" onClick={() => setLimit(Math.min(500, limit + 100))} />
      ) : null}
    </>
  );
}
