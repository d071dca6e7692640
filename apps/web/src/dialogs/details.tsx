/** Chat settings that are rarely changed: shelf, project, working directory, approvals, compaction and tools. */
import type { Chat, PatchChat, ToolGroupEntry } from '@chat-kernel/client';
import { useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { FormModal } from '../parts/form-modal.tsx';
import type { OfChat } from './types.ts';

export function Details({ chat, onClose }: OfChat) {
  const { client, chats, tools } = useKernel();
  const groups = useStore(tools)?.groups ?? [];
  const [form, setForm] = useState({
    shelf: chat.shelf,
    project: chat.project ?? '',
    workdir: chat.workdir ?? '',
    consent: chat.consent,
    compaction: chat.compaction,
    toolset: chat.toolset,
  });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const save = async () => {
    const { workdir, ...fields } = form;
    if ((workdir || null) !== chat.workdir) {
      const { workdir_on, hands } = chat;
      await client.setWorkdir(chat.id, { workdir: workdir || null, workdir_on, hands });
    }
    const { loaded } = chat.toolset;
    const change = { ...fields, project: form.project || null, toolset: { ...form.toolset, loaded } };
    // Does not compile while a setting has no field in this form and no control elsewhere.
    await chats.takeAnswer(client.patchChat(chat.id, change satisfies Record<Setting, unknown>));
    onClose();
  };
  return (
    <FormModal title="Chat settings" action="Save" onSubmit={save} onClose={onClose} hasColumns>
      <TextField
        label="Shelf"
        value={form.shelf}
        onChange={shelf => set({ shelf })}
        placeholder="Chats on the same shelf share books"
      />
      <TextField
        label="Project"
        value={form.project}
        onChange={project => set({ project })}
        placeholder="Optional"
      />
      <TextField
        label="Working directory"
        value={form.workdir}
        onChange={workdir => set({ workdir })}
        placeholder="Absolute path on the chat's machine"
      />
      <SelectField
        label="Approvals"
        value={form.consent}
        onChange={value => set({ consent: value as Chat['consent'] })}
        options={[
          ['ask', 'Ask before changing the server'],
          ['auto', "Don't ask"],
        ]}
      />
      <SelectField
        label="Auto-compact"
        value={form.compaction}
        onChange={value => set({ compaction: value as Chat['compaction'] })}
        options={[
          ['auto', 'When context is nearly full'],
          ['tight', 'When context is half full'],
          ['roomy', 'As late as possible'],
          ['off', 'Off'],
        ]}
      />
      <Tools
        groups={groups}
        disabled={form.toolset.disabled}
        onChange={disabled => set({ toolset: { ...form.toolset, disabled: [...disabled] } })}
      />
    </FormModal>
  );
}

/** Settings without a control elsewhere. */
type Setting = Exclude<keyof PatchChat, 'title' | 'model' | 'effort' | 'summary'>;

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
