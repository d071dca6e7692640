/** Selects the model, the effort and the machine for the next turn. On a phone, one button with their values opens them. */
import type { Chat, Model, ModelList } from '@chat-kernel/client';
import { useId } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Select } from '../parts/field.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** `hands:NAME`: a connected machine. */
export type Machine = 'none' | 'server' | 'client' | `hands:${string}`;

export const parseHandsName = (machine: Machine): string | null =>
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

export const EFFORTS = { off: 'Off', low: 'Low', mid: 'Medium', high: 'High' } as const;
const MACHINES = {
  none: 'No machine',
  server: 'Server',
  client: 'Client',
} as const;

export function Choices({ choices: { model, effort, machine }, onChange }: ChoicesProps) {
  const id = useId();
  const { client, models } = useKernel();
  const list = useStore(models);
  const known = list?.models.find(({ id }) => id === (model ?? list.default_model));
  const { value } = useLoaded(() => client.listHands());
  const named = parseHandsName(machine);
  const isListed = model === null || list?.models.some(({ id }) => id === model);
  const standing = value?.hands ?? [];
  const isStanding = named === null || standing.some(({ name }) => name === named);
  const efforts = known?.efforts ?? (['off', 'low', 'mid', 'high'] as const);
  const modelName = known?.name ?? model ?? 'Default model';
  const effortName =
    effort === null ? 'Default effort' : effort === 'off' ? 'Effort off' : `${EFFORTS[effort]} effort`;
  const machineName = named ?? MACHINES[machine as keyof typeof MACHINES];
  return (
    <>
      <button type="button" className="quiet choices-button" popoverTarget={id}>
        <span className="unseen">Model, effort and machine: </span>
        <span className="gist chosen">{modelName}</span>
        <small className="gist values">
          {effortName} · <bdi>{machineName}</bdi>
        </small>
      </button>
      <div id={id} popover="auto" className="choices">
        <label>
          <span className="caption">Model</span>
          <Select
            aria-label="Model"
            value={model ?? ''}
            onChange={value => onChange({ model: value || null })}
            none={defaultName(list)}
            options={isListed ? [] : [[model, model]]}
          >
            {groupByProvider(list).map(([provider, models]) => (
              <optgroup key={provider} label={provider}>
                {models.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        </label>
        <label>
          <span className="caption">Effort</span>
          <Select
            aria-label="Effort"
            value={effort ?? ''}
            onChange={value => onChange({ effort: (value || null) as Chat['effort'] })}
            none="Default effort"
            options={efforts.map(level => [level, EFFORTS[level]])}
          />
        </label>
        <label>
          <span className="caption">Machine</span>
          <Select
            aria-label="Machine"
            value={machine}
            onChange={value => onChange({ machine: value as Machine })}
            options={[
              ...Object.entries(MACHINES),
              ...standing.map(
                ({ name, here }) => [`hands:${name}`, here ? name : `${name} (offline)`] as const,
              ),
              ...(isStanding ? [] : [[machine, `${named} (offline)`] as const]),
            ]}
          />
        </label>
      </div>
    </>
  );
}

function defaultName(list: ModelList | null): string {
  const name = list?.models.find(({ id }) => id === list.default_model)?.name ?? list?.default_model;
  return name ? `${name} (default)` : 'Default model';
}

function groupByProvider(list: ModelList | null): [string, Model[]][] {
  const groups = new Map<string, Model[]>();
  for (const model of list?.models ?? [])
    groups.set(model.provider, [...(groups.get(model.provider) ?? []), model]);
  return [...groups];
}
