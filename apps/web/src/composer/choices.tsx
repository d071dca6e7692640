/** What the next turn runs with: which model, how hard it thinks, on which machine its tools work. */
import type { Chat, Schema } from '@chat-kernel/client';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';

export type Machine = 'none' | 'server' | 'client';

export interface TurnChoices {
  model: string | null;
  effort: Chat['effort'];
  machine: Machine;
}

interface ChoicesProps {
  choices: TurnChoices;
  onChange(change: Partial<TurnChoices>): void;
}

const EFFORTS = { off: 'No thinking', low: 'Low', mid: 'Medium', high: 'High' } as const;
const MACHINES: Readonly<Record<Machine, string>> = {
  none: 'No machine',
  server: "Kernel's machine",
  client: "A client's machine",
};

export function Choices({ choices: { model, effort, machine }, onChange }: ChoicesProps) {
  const list = useStore(useKernel().models);
  const known = list?.models.find(({ id }) => id === (model ?? list.default_model));
  const efforts = known?.efforts ?? (['off', 'low', 'mid', 'high'] as const);
  return (
    <div className="choices">
      <select
        aria-label="Model"
        value={model ?? ''}
        onChange={event => onChange({ model: event.target.value || null })}
      >
        <option value="">{defaultName(list)}</option>
        {model !== null && !list?.models.some(({ id }) => id === model) ? (
          <option value={model}>{model}</option>
        ) : null}
        {providersOf(list).map(([provider, models]) => (
          <optgroup key={provider} label={provider}>
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <select
        aria-label="Effort"
        value={effort ?? ''}
        onChange={event => onChange({ effort: (event.target.value || null) as Chat['effort'] })}
      >
        <option value="">Default effort</option>
        {efforts.map(level => (
          <option key={level} value={level}>
            {EFFORTS[level]}
          </option>
        ))}
      </select>
      <select
        aria-label="Machine"
        value={machine}
        onChange={event => onChange({ machine: event.target.value as Machine })}
      >
        {Object.entries(MACHINES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function defaultName(list: Schema<'ModelList'> | null): string {
  const name = list?.models.find(({ id }) => id === list.default_model)?.name ?? list?.default_model;
  return name ? `${name} (default)` : 'Default model';
}

function providersOf(list: Schema<'ModelList'> | null): [string, Schema<'Model'>[]][] {
  const groups = new Map<string, Schema<'Model'>[]>();
  for (const model of list?.models ?? [])
    groups.set(model.provider, [...(groups.get(model.provider) ?? []), model]);
  return [...groups];
}
