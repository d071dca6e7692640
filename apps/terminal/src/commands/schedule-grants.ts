/** Shows and changes the calls that need no consent in the turns of a schedule. */
import type { Schedule } from '@chat-kernel/client';
import type { PickerEntry } from '../dialogs/picker.ts';
import type { ChatSession } from '../session/session.ts';
import { exact } from '../text/safe.ts';

type Grant = Schedule['grants'][number];

const ADD = 'allow a tool';

/** Lists the grants of a schedule: picking one removes it. */
export async function editGrants(session: ChatSession, id: string): Promise<void> {
  const { grants } = await session.client.getSchedule(id);
  const entries = [
    { id: ADD, label: ADD },
    ...grants.map((grant, index) => ({ id: String(index), label: `remove ${describeGrant(grant)}` })),
  ];
  session.panels.pick({ title: 'Allowed without asking', entries }, async ({ id: picked }) => {
    if (picked === ADD) return pickTool(session, id, grants);
    await save(session, id, grants.toSpliced(Number(picked), 1));
  });
}

async function pickTool(session: ChatSession, id: string, grants: readonly Grant[]): Promise<void> {
  const { tools } = await session.client.listTools();
  const entries = tools
    .filter(({ effects }) => effects.length > 0)
    .map(({ name, effects }) => ({ id: name, label: name, detail: effects.join(', ') }));
  session.panels.pick({ title: 'Allow a tool', entries }, ({ id: tool }) => {
    const sends = tools.find(({ name }) => name === tool)?.effects.includes('send') ?? false;
    pickTarget(session, { tool, sends }, target => save(session, id, [...grants, { tool, target }]));
  });
}

/** Takes the target as the query of a list with one entry. */
function pickTarget(
  { panels }: ChatSession,
  { tool, sends }: { tool: string; sends: boolean },
  onTarget: (target: string | null) => unknown,
): void {
  const everything: PickerEntry[] = sends ? [] : [{ id: '', label: `${tool} for everything` }];
  panels.pick(
    {
      title: `Type a target of ${tool}: a host, command, path, group or recipient`,
      entries: everything,
      empty: 'this tool sends something out, so it needs a target',
      searched: true,
    },
    ({ id: target }) => onTarget(target === '' ? null : target),
    async query => {
      const target = query.trim();
      return target === '' ? everything : [{ id: target, label: describeGrant({ tool, target }) }];
    },
  );
}

async function save({ client, notices }: ChatSession, id: string, grants: Grant[]): Promise<void> {
  await client.patchSchedule(id, { grants });
  notices.notify(
    grants.length === 0 ? 'Saved. Its runs ask as other turns do.' : `Saved: ${describeGrants(grants)}.`,
  );
}

const describeGrant = ({ tool, target }: Grant): string =>
  `${tool} for ${target === null ? 'everything' : exact(target)}`;

export const describeGrants = (grants: readonly Grant[]): string =>
  `without asking: ${grants.map(describeGrant).join(', ')}`;
