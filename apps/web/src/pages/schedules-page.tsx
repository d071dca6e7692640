/** The schedules: messages that come by themselves, and what became of each. */
import type { Schema } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { chatPath } from '../base/place.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page } from './page.tsx';
import { ScheduleForm } from './schedule-form.tsx';

export default function SchedulesPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const { value, error, reload } = useLoaded(() => client.listSchedules(), changed);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Schedules"
      about="Messages that come by themselves. Models are asked as if you had sent them."
    >
      {error ? <p className="error">{error}</p> : null}
      {value?.schedules.length === 0 ? (
        <Empty title="Nothing is scheduled.">
          <p>Every morning the news of the day, once a week a look at the accounts.</p>
        </Empty>
      ) : null}
      <ul className="rows">
        {value?.schedules.map(schedule => (
          <ScheduleRow key={schedule.id} schedule={schedule} changed={changed} onChanged={reload} />
        ))}
      </ul>
      <button type="button" onClick={() => setAdding(true)}>
        Add a schedule
      </button>
      {isAdding ? <ScheduleForm onClose={() => setAdding(false)} onSaved={reload} /> : null}
    </Page>
  );
}

interface RowProps {
  schedule: Schema<'Schedule'>;
  /** Another one: something has changed. */
  changed: number;
  onChanged(): Promise<void>;
}

function ScheduleRow({ schedule, changed, onChanged }: RowProps) {
  const { client } = useKernel();
  const { act, busy } = useAct();
  const [, go] = useLocation();
  const [open, setOpen] = useState<'edit' | 'delete' | 'runs' | null>(null);
  const { id, text, title, enabled, last } = schedule;
  // What was clicked is shown at once; what the kernel says counts.
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
        <small>
          {timesOf(schedule)}
          {last ? ` · last: ${last.status}` : ''}
        </small>
        {open === 'runs' ? <Runs id={id} changed={changed} /> : null}
      </div>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={event => void switchTo(event.target.checked)} /> On
      </label>
      <button type="button" disabled={busy} onClick={() => void act(run)}>
        Run now
      </button>
      <button
        type="button"
        aria-expanded={open === 'runs'}
        onClick={() => setOpen(open === 'runs' ? null : 'runs')}
      >
        Runs
      </button>
      <button type="button" onClick={() => setOpen('edit')}>
        Edit
      </button>
      <button type="button" className="danger" onClick={() => setOpen('delete')}>
        Delete
      </button>
      {open === 'edit' ? <ScheduleForm schedule={schedule} onClose={close} onSaved={onChanged} /> : null}
      {open === 'delete' ? (
        <Confirm
          title="Delete this schedule?"
          action="Delete"
          onClose={close}
          onConfirm={() => client.deleteSchedule(id).then(onChanged)}
        >
          <p>
            <bdi>{text}</bdi> is not sent any more. The chats of its runs stay.
          </p>
        </Confirm>
      ) : null}
    </li>
  );
}

/** When it is due, in words. */
function timesOf({ cron, at, timezone, enabled, problem, next_at }: Schema<'Schedule'>): string {
  const when = cron === null ? (at ? wholeTime(at) : '') : `${cron} (${timezone})`;
  const next = next_at === null ? 'over' : cron === null ? 'once' : `next: ${wholeTime(next_at)}`;
  return [when, enabled ? next : (problem ?? 'off')].join(' · ');
}

function Runs({ id, changed }: { id: string; changed: number }) {
  const { client } = useKernel();
  const [limit, setLimit] = useState(20);
  const { value, error } = useLoaded(() => client.listScheduleRuns(id, { limit }), `${changed} ${limit}`);
  const runs = value?.runs ?? [];
  return (
    <>
      {error ? <p className="error">{error}</p> : null}
      {value && runs.length === 0 ? <p className="hint">It was not due yet.</p> : null}
      <ul className="rows" aria-label="Runs">
        {runs.map(({ due_at, status, chat_id, error: failure }) => (
          <li key={due_at}>
            <div>
              {wholeTime(due_at)}: {status}
              {failure ? <small>{failure.message}</small> : null}
            </div>
            {chat_id ? <Link href={chatPath(chat_id)}>Open</Link> : null}
          </li>
        ))}
      </ul>
      {runs.length === limit && limit < 500 ? (
        <button type="button" onClick={() => setLimit(Math.min(500, limit + 100))}>
          More
        </button>
      ) : null}
    </>
  );
}
