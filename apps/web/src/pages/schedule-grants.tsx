/** Edits and shows the calls that need no consent in the turns of a schedule. */
import type { Schedule, ToolEntry } from '@chat-kernel/client';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { Select } from '../parts/field.tsx';

type Grant = Schedule['grants'][number];

interface ScheduleGrantsProps {
  grants: readonly Grant[];
  onChange(grants: readonly Grant[]): void;
}

export function ScheduleGrants({ grants, onChange }: ScheduleGrantsProps) {
  const known = useStore(useKernel().tools)?.tools ?? [];
  const names = known.filter(({ effects }) => effects.length > 0).map(({ name }) => name);
  const find = (name: string) => known.find(tool => tool.name === name);
  const change = (index: number, changed: Grant) => onChange(grants.with(index, changed));
  const choose = (name: string): Grant => ({ tool: name, target: firstTarget(find(name)) });
  return (
    <fieldset className="field">
      <legend>Allowed without asking</legend>
      {grants.map((grant, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other names while they are edited
        <div key={index} className="grant">
          <Select
            aria-label="Tool"
            value={grant.tool}
            onChange={name => change(index, choose(name))}
            options={(names.includes(grant.tool) ? names : [grant.tool, ...names]).map(name => [name, name])}
          />
          <input
            aria-label="Target"
            placeholder={describeTarget(find(grant.tool))}
            required={find(grant.tool)?.effects.includes('send') ?? false}
            value={grant.target ?? ''}
            onChange={event => change(index, { ...grant, target: event.target.value || null })}
          />
          <Button label="Remove" onClick={() => onChange(grants.toSpliced(index, 1))} />
        </div>
      ))}
      <div>
        <Button
          label="Allow a tool"
          disabled={names.length === 0}
          onClick={() => onChange([...grants, choose(names[0] ?? '')])}
        />
      </div>
    </fieldset>
  );
}

/** The grants in the list of schedules. */
export function GrantSummary({ grants }: Pick<Schedule, 'grants'>) {
  if (grants.length === 0) return null;
  const text = grants.map(({ tool, target }) => (target === null ? tool : `${tool} (${target})`)).join(', ');
  return (
    <small>
      Without asking: <Exact text={text} />
    </small>
  );
}

const takes = (tool: ToolEntry, name: string): boolean =>
  Object.hasOwn((tool.input_schema.properties ?? {}) as object, name);

/** A tool that always sends to its own module or server has only this target. */
function firstTarget(tool: ToolEntry | undefined): string | null {
  if (!tool?.effects.includes('send') || takes(tool, 'url') || takes(tool, 'to')) return null;
  return tool.group;
}

function describeTarget(tool: ToolEntry | undefined): string {
  if (tool === undefined) return 'Target';
  if (takes(tool, 'url')) return 'Host, such as example.org';
  if (takes(tool, 'to')) return 'Recipient, such as ann@example.org';
  if (tool.effects.includes('execute')) return 'First words of the command; empty: all commands';
  if (tool.effects.includes('send')) return tool.group;
  return takes(tool, 'path') || takes(tool, 'files') ? 'File or folder; empty: all' : 'Everything';
}
