/** Commands that create and manage schedules. */
import type { CreateSchedule, Schedule, ScheduleRun } from '@chat-kernel/client';
import type { PickerEntry } from '../dialogs/picker.ts';
import { facts } from '../dialogs/picker-entries.ts';
import type { ChatSession } from '../session/session.ts';
import { moment } from '../text/amounts.ts';
import { exact } from '../text/safe.ts';
import type { ChatCommand } from './command.ts';
import { parseMoment } from './turns.ts';

export const schedule: ChatCommand = {
  name: 'schedule',
  description: 'schedule a message (once or cron)',
  takes: '<30m, or cron> <text>',
  async run(session, argument) {
    const { client, store, notices } = session;
    const chat_id = store.get().chat?.id ?? null;
    const body = { ...parseSchedule(argument), chat_id };
    const { next_at } = await client.createSchedule(body);
    notices.notify(
      `Scheduled ${chat_id ? 'in this chat' : 'in new chats'}; next run ${formatTime(next_at)}.`,
    );
  },
};

export const schedules: ChatCommand = {
  name: 'schedules',
  description: 'manage schedules: run now, enable, disable, allow without asking, delete',
  async run(session) {
    const { schedules: all } = await session.client.listSchedules();
    const byId = new Map(all.map(each => [each.id, each]));
    session.panels.pick(
      { title: 'Schedules', entries: all.map(toPickerEntry), empty: 'no schedules yet; /schedule adds one' },
      ({ id }) => choose(session, byId.get(id)!),
    );
  },
};

/** Offers the actions on a schedule. */
function choose(session: ChatSession, chosen: Schedule): void {
  const { client, notices, panels } = session;
  const { id, enabled, last } = chosen;
  const work: Record<string, () => unknown> = {
    'run now': async () => {
      const { chat_id } = await client.runSchedule(id);
      session.open(await client.getChat(chat_id));
    },
    [enabled ? 'disable' : 'enable']: async () => {
      const { next_at } = await client.patchSchedule(id, { enabled: !enabled });
      notices.notify(enabled ? 'Disabled.' : `Enabled; next run ${formatTime(next_at)}.`);
    },
    'show runs': async () => {
      const { runs } = await client.listScheduleRuns(id);
      panels.look('Runs', runs.map(runLine), 'no runs yet');
    },
    'allow without asking': () => editGrants(session, id),
    ...(last?.turn_id && {
      'open the latest chat': async () => {
        const { runs } = await client.listScheduleRuns(id, { limit: 1 });
        const chat_id = runs[0]?.chat_id;
        if (chat_id) session.open(await client.getChat(chat_id));
      },
    }),
    delete: async () => {
      await client.deleteSchedule(id);
      notices.notify('Deleted. Its chats are kept.');
    },
  };
  const entries = Object.keys(work).map(label => ({ id: label, label }));
  panels.pick({ title: toPickerEntry(chosen).label, entries }, ({ id: what }) => work[what]!());
}

function toPickerEntry({
  id,
  text,
  cron,
  at,
  enabled,
  next_at,
  problem,
  last,
  grants,
}: Schedule): PickerEntry {
  const state = enabled ? `next ${formatTime(next_at)}` : (problem ?? 'off');
  const ended = last && `last ${last.status}`;
  return {
    id,
    label: text.replace(/\s+/g, ' ').slice(0, 200),
    detail: facts(
      cron ?? (at && formatTime(at)),
      state,
      ended,
      grants.length > 0 ? describeGrants(grants) : null,
    ),
  };
}

const runLine = ({ due_at, status, error }: ScheduleRun): string =>
  facts(formatTime(due_at), status, error?.message);

const formatTime = (time: string | null): string => (time === null ? 'never' : moment(time, Date.now()));

/** Parses `30m`, a time or five cron fields, then the text. @throws Error with a sentence for the user */
function parseSchedule(argument: string): CreateSchedule {
  const [first = '', ...rest] = argument.split(/\s+/);
  if (/^\d+[mhd]$/.test(first) || /^\d{4}-/.test(first)) {
    const text = rest.join(' ');
    if (text !== '') return { at: parseMoment(first, Date.now(), '/schedule'), text };
  } else if (rest.length > 4) {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return { cron: [first, ...rest.slice(0, 4)].join(' '), timezone, text: rest.slice(4).join(' ') };
  }
  throw new Error('Usage: /schedule WHEN TEXT. WHEN is 30m, a time, or cron fields such as 0 9 * * MON-FRI.');
}

type Grant = Schedule['grants'][number];

const ADD = 'allow a tool';

/** Lists the grants of a schedule: picking one removes it. */
async function editGrants(session: ChatSession, id: string): Promise<void> {
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

const describeGrants = (grants: readonly Grant[]): string =>
  `without asking: ${grants.map(describeGrant).join(', ')}`;
