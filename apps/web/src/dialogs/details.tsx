/** Everything of a chat that is set once and rarely: where it stands, where it works, what it may, how it is folded. */
import type { Chat, Schema } from '@chat-kernel/client';
import { useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import type { OfChat } from './types.ts';

export function Details({ chat, onClose }: OfChat) {
  const { client, chats, tools } = useKernel();
  const groups = useStore(tools)?.groups ?? [];
  const [form, setForm] = useState(() => formOf(chat));
  const set = (change: Partial<Form>) => setForm({ ...form, ...change });
  const save = async () => {
    const { workdir, project, ...fields } = form;
    if ((workdir || null) !== chat.workdir) {
      const { workdir_on, hands } = chat;
      await client.setWorkdir(chat.id, { workdir: workdir || null, workdir_on, hands });
    }
    const toolset = { loaded: chat.toolset.loaded, disabled: [...form.disabled] };
    const { disabled: _, ...patch } = fields;
    chats.take(await client.patchChat(chat.id, { ...patch, project: project || null, toolset }));
    onClose();
  };
  return (
    <FormModal title="Details" action="Save" onSubmit={save} onClose={onClose} wide>
      <Field
        label="Shelf"
        value={form.shelf}
        onChange={shelf => set({ shelf })}
        hint="Its chats share books."
      />
      <Field
        label="Project"
        value={form.project}
        onChange={project => set({ project })}
        hint="A name of your own."
      />
      <Field
        label="Working directory"
        value={form.workdir}
        onChange={workdir => set({ workdir })}
        hint="Absolute, on the machine of the chat."
      />
      <label className="field">
        Consent
        <select
          value={form.consent}
          onChange={event => set({ consent: event.target.value as Chat['consent'] })}
        >
          <option value="ask">Ask before the kernel's machine is changed</option>
          <option value="auto">Change it unasked</option>
        </select>
      </label>
      <label className="field">
        Folding
        <select
          value={form.compaction}
          onChange={event => set({ compaction: event.target.value as Chat['compaction'] })}
        >
          <option value="auto">When the window gets full</option>
          <option value="tight">At half of the window</option>
          <option value="roomy">As late as possible</option>
          <option value="off">Never by itself</option>
        </select>
      </label>
      <Tools groups={groups} disabled={form.disabled} onChange={disabled => set({ disabled })} />
    </FormModal>
  );
}

type Form = Pick<Chat, 'shelf' | 'consent' | 'compaction'> & {
  project: string;
  workdir: string;
  disabled: readonly string[];
};

const formOf = ({ shelf, project, workdir, consent, compaction, toolset }: Chat): Form => ({
  shelf,
  project: project ?? '',
  workdir: workdir ?? '',
  consent,
  compaction,
  disabled: toolset.disabled,
});

function Field({
  label,
  value,
  onChange,
  hint,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  hint: string;
}) {
  return (
    <label className="field">
      {label}
      <input value={value} placeholder={hint} onChange={event => onChange(event.target.value)} />
    </label>
  );
}

interface ToolsProps {
  groups: readonly Schema<'ToolGroupEntry'>[];
  disabled: readonly string[];
  onChange(disabled: readonly string[]): void;
}

function Tools({ groups, disabled, onChange }: ToolsProps) {
  return (
    <fieldset className="field">
      <legend>Tools that this chat offers</legend>
      {groups.map(({ name, about }) => (
        <label key={name} className="option">
          <input
            type="checkbox"
            checked={!disabled.includes(name)}
            onChange={event =>
              onChange(event.target.checked ? disabled.filter(each => each !== name) : [...disabled, name])
            }
          />
          <span>
            {name}
            <small>{about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
