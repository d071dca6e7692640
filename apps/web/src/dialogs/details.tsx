/** Chat settings that are rarely changed: shelf, project, working directory, approvals, compaction and tools. */
import type { Chat, PatchChat, ToolGroupEntry } from '@chat-kernel/client';
import { type ReactNode, useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { FormModal } from '../parts/form-modal.tsx';
import type { OfChat } from './types.ts';

/** Settings that have their own control elsewhere. */
type Elsewhere = 'title' | 'model' | 'effort' | 'summary';
type Form = Pick<Chat, Exclude<keyof PatchChat, Elsewhere> | 'workdir'>;

interface SettingProps {
  form: Form;
  set(change: Partial<Form>): void;
  groups: readonly ToolGroupEntry[];
}

const FIELDS: { readonly [Name in keyof Form]: (props: SettingProps) => ReactNode } = {
  shelf: ({ form, set }) => (
    <Field
      label="Shelf"
      value={form.shelf}
      onChange={shelf => set({ shelf })}
      hint="Chats on the same shelf share books"
    />
  ),
  project: ({ form, set }) => (
    <Field
      label="Project"
      value={form.project ?? ''}
      onChange={project => set({ project })}
      hint="Optional"
    />
  ),
  workdir: ({ form, set }) => (
    <Field
      label="Working directory"
      value={form.workdir ?? ''}
      onChange={workdir => set({ workdir })}
      hint="Absolute path on the chat's machine"
    />
  ),
  consent: ({ form, set }) => (
    <label className="field">
      Approvals
      <select
        value={form.consent}
        onChange={event => set({ consent: event.target.value as Chat['consent'] })}
      >
        <option value="ask">Ask before changing the server</option>
        <option value="auto">Don't ask</option>
      </select>
    </label>
  ),
  compaction: ({ form, set }) => (
    <label className="field">
      Auto-compact
      <select
        value={form.compaction}
        onChange={event => set({ compaction: event.target.value as Chat['compaction'] })}
      >
        <option value="auto">When context is nearly full</option>
        <option value="tight">When context is half full</option>
        <option value="roomy">As late as possible</option>
        <option value="off">Off</option>
      </select>
    </label>
  ),
  toolset: ({ form, set, groups }) => (
    <Tools
      groups={groups}
      disabled={form.toolset.disabled}
      onChange={disabled => set({ toolset: { ...form.toolset, disabled: [...disabled] } })}
    />
  ),
};
const NAMES = Object.keys(FIELDS) as readonly (keyof Form)[];

export function Details({ chat, onClose }: OfChat) {
  const { client, chats, tools } = useKernel();
  const groups = useStore(tools)?.groups ?? [];
  const [form, setForm] = useState<Form>(chat);
  const set = (change: Partial<Form>) => setForm({ ...form, ...change });
  const save = async () => {
    const { workdir, project, toolset, ...patch } = picked(form);
    if ((workdir || null) !== chat.workdir) {
      const { workdir_on, hands } = chat;
      await client.setWorkdir(chat.id, { workdir: workdir || null, workdir_on, hands });
    }
    const { loaded } = chat.toolset;
    const change = { ...patch, project: project || null, toolset: { ...toolset, loaded } };
    await chats.takeAnswer(client.patchChat(chat.id, change));
    onClose();
  };
  return (
    <FormModal title="Chat settings" action="Save" onSubmit={save} onClose={onClose} hasColumns>
      {NAMES.map(name => {
        const Setting = FIELDS[name];
        return <Setting key={name} form={form} set={set} groups={groups} />;
      })}
    </FormModal>
  );
}

const picked = (form: Form): Form =>
  Object.fromEntries(NAMES.map(name => [name, form[name]])) as unknown as Form;

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
  groups: readonly ToolGroupEntry[];
  disabled: readonly string[];
  onChange(disabled: readonly string[]): void;
}

function Tools({ groups, disabled, onChange }: ToolsProps) {
  return (
    <fieldset className="field">
      <legend>Tools</legend>
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
