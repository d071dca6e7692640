/** Form to add or edit a schedule. */
import type { Schedule } from '@chat-kernel/client';
import { describeCron } from '@chat-kernel/text';
import { useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import { fromDraft, type GrantDraft, ScheduleGrants, toDraft } from './schedule-grants.tsx';

interface ScheduleFormProps {
  /** Absent: adds a new schedule. */
  schedule?: Schedule;
  onSaved(): Promise<void>;
  onClose(): void;
}

export function ScheduleForm({ schedule, onSaved, onClose }: ScheduleFormProps) {
  const { client, models, chats } = useKernel();
  const { chats: recent } = useStore(chats.list);
  const known = useStore(models)?.models ?? [];
  const [text, setText] = useState(schedule?.text ?? '');
  const [isOnce, setOnce] = useState(schedule?.at != null);
  const [cron, setCron] = useState(schedule?.cron ?? '0 9 * * *');
  const [at, setAt] = useState(schedule?.at ? localTime(schedule.at) : '');
  const [timezone, setTimezone] = useState(
    schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [chat, setChat] = useState(schedule?.chat_id ?? '');
  const [title, setTitle] = useState(schedule?.title ?? '');
  const [model, setModel] = useState(schedule?.model ?? '');
  const [catchUp, setCatchUp] = useState(schedule?.catch_up === 'last');
  const [cost, setCost] = useState(schedule?.max_cost_usd?.toString() ?? '');
  const [grants, setGrants] = useState<readonly GrantDraft[]>(schedule?.grants.map(toDraft) ?? []);
  const save = async () => {
    const when = isOnce ? { at: new Date(at).toISOString() } : { cron };
    // Do not send an unchanged time: it may be in the past, which the kernel rejects.
    const isSame = schedule && (isOnce ? at === localTime(schedule.at ?? '') : cron === schedule.cron);
    const chatChange = (schedule?.chat_id ?? '') === chat ? {} : { chat_id: chat || null };
    const zone = schedule?.timezone === timezone ? {} : { timezone };
    const fields = {
      text,
      ...zone,
      ...chatChange,
      title: title || null,
      model: model || null,
      catch_up: catchUp ? ('last' as const) : ('none' as const),
      max_cost_usd: cost === '' ? null : Number(cost),
      grants: grants.map(fromDraft),
    };
    if (schedule) await client.patchSchedule(schedule.id, { ...fields, ...(isSame ? {} : when) });
    else await client.createSchedule({ ...fields, ...when });
    await onSaved();
    onClose();
  };
  return (
    <FormModal
      title={schedule ? 'Edit schedule' : 'Add schedule'}
      action={schedule ? 'Save' : 'Add'}
      onSubmit={save}
      onClose={onClose}
      disabled={text.trim() === '' || (isOnce && at === '')}
      wide
    >
      <label className="field">
        Message
        <textarea rows={4} value={text} onChange={event => setText(event.target.value)} />
      </label>
      <label className="field">
        When
        <select value={isOnce ? 'at' : 'cron'} onChange={event => setOnce(event.target.value === 'at')}>
          <option value="cron">Repeat</option>
          <option value="at">Once</option>
        </select>
      </label>
      {isOnce ? (
        <label className="field">
          Time
          <input type="datetime-local" value={at} onChange={event => setAt(event.target.value)} />
        </label>
      ) : (
        <>
          <label className="field">
            Cron (minute, hour, day, month, weekday)
            <input
              value={cron}
              aria-describedby="cron-words"
              onChange={event => setCron(event.target.value)}
            />
          </label>
          <p id="cron-words" className="hint">
            {describeCron(cron) ?? 'For example, 0 8 * * 1-5 is weekdays at 8:00.'}
          </p>
          <label className="field">
            Time zone
            <input value={timezone} onChange={event => setTimezone(event.target.value)} />
          </label>
        </>
      )}
      <label className="field">
        Chat
        <select value={chat} onChange={event => setChat(event.target.value)}>
          <option value="">New chat for each run</option>
          {chat !== '' && recent.every(({ id }) => id !== chat) ? (
            <option value={chat}>Current chat</option>
          ) : null}
          {recent.map(({ id, title: name }) => (
            <option key={id} value={id}>
              {name ?? 'New chat'}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        New chat title
        <input value={title} disabled={chat !== ''} onChange={event => setTitle(event.target.value)} />
      </label>
      <label className="field">
        Model
        <select value={model} onChange={event => setModel(event.target.value)}>
          <option value="">Chat default</option>
          {known.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Cost limit per run (USD)
        <input
          type="number"
          min="0"
          step="any"
          value={cost}
          onChange={event => setCost(event.target.value)}
        />
      </label>
      <ScheduleGrants grants={grants} onChange={setGrants} />
      <label>
        <input type="checkbox" checked={catchUp} onChange={event => setCatchUp(event.target.checked)} /> Run
        once after a missed time
      </label>
    </FormModal>
  );
}

/** Formats a time for a `datetime-local` field, in the time zone of this device. */
function localTime(time: string): string {
  if (time === '') return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
