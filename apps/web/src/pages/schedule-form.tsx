/** Form to add or edit a schedule. */
import type { Schedule } from '@chat-kernel/client';
import { describeCron } from '@chat-kernel/text';
import { useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { CheckField, SelectField, TextField } from '../parts/field.tsx';
import { FormModal } from '../parts/form-modal.tsx';
import { ScheduleGrants } from './schedule-grants.tsx';

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
  const [grants, setGrants] = useState<readonly Schedule['grants'][number][]>(schedule?.grants ?? []);
  /** The chat of the schedule is not among the recent ones. */
  const isOther = chat !== '' && recent.every(({ id }) => id !== chat);
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
      grants: grants.map(({ tool, target }) => ({ tool, target: target?.trim() || null })),
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
      hasColumns
    >
      <label className="field">
        Message
        <textarea rows={4} value={text} onChange={event => setText(event.target.value)} />
      </label>
      <SelectField
        label="When"
        value={isOnce ? 'at' : 'cron'}
        onChange={value => setOnce(value === 'at')}
        options={[
          ['cron', 'Repeat'],
          ['at', 'Once'],
        ]}
      />
      {isOnce ? (
        <TextField label="Time" type="datetime-local" value={at} onChange={setAt} />
      ) : (
        <>
          <TextField
            label="Cron (minute, hour, day, month, weekday)"
            value={cron}
            aria-describedby="cron-words"
            onChange={setCron}
          />
          <p id="cron-words" className="hint">
            {describeCron(cron) ?? 'For example, 0 8 * * 1-5 is weekdays at 8:00.'}
          </p>
          <TextField label="Time zone" value={timezone} onChange={setTimezone} />
        </>
      )}
      <SelectField
        label="Chat"
        value={chat}
        onChange={setChat}
        none="New chat for each run"
        options={[
          ...(isOther ? [[chat, 'Current chat'] as const] : []),
          ...recent.map(({ id, title: name }) => [id, name ?? 'New chat'] as const),
        ]}
      />
      <TextField label="New chat title" value={title} disabled={chat !== ''} onChange={setTitle} />
      <SelectField
        label="Model"
        value={model}
        onChange={setModel}
        none="Chat default"
        options={known.map(({ id, name }) => [id, name])}
      />
      <TextField
        label="Cost limit per run (USD)"
        type="number"
        min="0"
        step="any"
        value={cost}
        onChange={setCost}
      />
      <ScheduleGrants grants={grants} onChange={setGrants} />
      <CheckField label="Run once after a missed time" checked={catchUp} onChange={setCatchUp} />
    </FormModal>
  );
}

/** Formats a time for a `datetime-local` field, in the time zone of this device. */
function localTime(time: string): string {
  if (time === '') return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
