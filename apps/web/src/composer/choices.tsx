/** What the next turn runs with: which model, how hard it thinks, on which machine its tools work. */
import type { Chat, Schema } from '@chat-kernel/client';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** `hands:NAME`: a machine that stands by. */
export type Machine = 'none' | 'server' | 'client' | `hands:${string}`;

export const handsOf = (machine: Machine): string | null =>
  machine.startsWith('hands:') ? machine.slice('hands:'.length) : null;

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
const MACHINES = {
  none: 'No machine',
  server: "Kernel's machine",
  client: "A client's machine",
} as const;

export function Choices({ choices: { model, effort, machine }, onChange }: ChoicesProps) {
  const { client, models } = useKernel();
  const list = useStore(models);
  const known = list?.models.find(({ id }) => id === (model ?? list.default_model));
  const { value } = useLoaded(() => client.listHands());
  const named = handsOf(machine);
  const standing = value?.hands ?? [];
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
        {standing.map(({ client_id, name, here }) => (
          <option key={client_id} value={`hands:${name}`}>
            {here ? name : `${name} (away)`}
          </option>
        ))}
        {named !== null && !standing.some(({ name }) => name === named) ? (
          <option value={machine}>{named} (away)</option>
        ) : null}
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
