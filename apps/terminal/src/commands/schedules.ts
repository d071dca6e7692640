/** Commands about schedules: messages that come by themselves. */
import type { Schema } from '@chat-kernel/client';
import type { PickerEntry } from '../dialogs/picker.ts';
import type { ChatSession } from '../session/session.ts';
import { moment } from '../text/amounts.ts';
import type { ChatCommand } from './command.ts';
import { momentOf } from './turns.ts';

type Schedule = Schema<'Schedule'>;

export const schedule: ChatCommand = {
  name: 'schedule',
  description: 'send a message by itself: once, or by a cron line',
  takes: '<30m, or cron> <text>',
  async run(session, argument) {
    const { client, store, notices } = session;
    const chat_id = store.get().chat?.id ?? null;
    const body = { ...wantedOf(argument), chat_id };
    const { next_at } = await client.createSchedule(body);
    notices.notify(`Scheduled, first ${timeOf(next_at)}; ${chat_id ? 'in this chat' : 'in new chats'}.`);
  },
};

export const schedules: ChatCommand = {
  name: 'schedules',
  description: 'look at the schedules: run now, switch on or off, delete',
  async run(session) {
    const { schedules: all } = await session.client.listSchedules();
    const byId = new Map(all.map(each => [each.id, each]));
    session.panels.pick(
      { title: 'Schedules', entries: all.map(entryOf), empty: 'there are no schedules: /schedule makes one' },
      ({ id }) => choose(session, byId.get(id)!),
    );
  },
};

/** Offers what can be done with a schedule. */
function choose(session: ChatSession, chosen: Schedule): void {
  const { client, notices, panels } = session;
  const { id, enabled, last } = chosen;
  const work: Record<string, () => unknown> = {
    'run now': async () => {
      const { chat_id } = await client.runSchedule(id);
      session.open(await client.getChat(chat_id));
    },
    [enabled ? 'switch off' : 'switch on']: async () => {
      const { next_at } = await client.patchSchedule(id, { enabled: !enabled });
      notices.notify(enabled ? 'Switched off.' : `Switched on; next ${timeOf(next_at)}.`);
    },
    'runs so far': async () => {
      const { runs } = await client.listScheduleRuns(id);
      panels.look('Runs', runs.map(runLine), 'it was not due yet');
    },
    ...(last?.turn_id && {
      'open the last chat': async () => {
        const { runs } = await client.listScheduleRuns(id, { limit: 1 });
        const chat_id = runs[0]?.chat_id;
        if (chat_id) session.open(await client.getChat(chat_id));
      },
    }),
    delete: async () => {
      await client.deleteSchedule(id);
      notices.notify('Deleted; its chats stay.');
    },
  };
  const entries = Object.keys(work).map(label => ({ id: label, label }));
  panels.pick({ title: entryOf(chosen).label, entries }, ({ id: what }) => work[what]!());
}

function entryOf({ id, text, cron, at, enabled, next_at, problem, last }: Schedule): PickerEntry {
  const state = enabled ? `next ${timeOf(next_at)}` : (problem ?? 'off');
  const ended = last && `last ${last.status}`;
  return {
    id,
    label: text.replace(/\s+/g, ' ').slice(0, 200),
    detail: [cron ?? (at && timeOf(at)), state, ended].filter(each => each !== null).join(' · '),
  };
}

const runLine = ({ due_at, status, error }: Schema<'ScheduleRun'>): string =>
  [timeOf(due_at), status, error?.message].filter(each => each !== undefined).join(' · ');

const timeOf = (time: string | null): string => (time === null ? 'never' : moment(time, Date.now()));

/** Reads `30m`, a moment or five fields, and the text behind. @throws Error with a sentence for the owner */
function wantedOf(argument: string): Schema<'CreateSchedule'> {
  const [first = '', ...rest] = argument.split(/\s+/);
  if (/^\d+[mhd]$/.test(first) || /^\d{4}-/.test(first)) {
    const text = rest.join(' ');
    if (text !== '') return { at: momentOf(first, Date.now(), '/schedule'), text };
  } else if (rest.length > 4) {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return { cron: [first, ...rest.slice(0, 4)].join(' '), timezone, text: rest.slice(4).join(' ') };
  }
  throw new Error('/schedule takes 30m, a moment or a cron line (0 9 * * MON-FRI), and the message behind.');
}
