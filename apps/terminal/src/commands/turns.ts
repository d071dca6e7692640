/** Commands for turns and sleep, and for the plan, notebook and books of a chat. */
import { counted } from '@chat-kernel/text';
import { facts } from '../dialogs/picker-entries.ts';
import { splitLines } from '../text/safe.ts';
import { type ChatCommand, requireChat } from './command.ts';

export const cancel: ChatCommand = {
  name: 'cancel',
  description: 'stop the turn (Esc); `queue` also clears the queue',
  takes: 'queue',
  async run(session, argument) {
    const dropped = await session.cancel({ queued: argument === 'queue' });
    for (const sent of dropped.toReversed()) session.input.restore(sent);
  },
};

export const steer: ChatCommand = {
  name: 'steer',
  description: 'send after the current step (Ctrl-S)',
  takes: '<text>',
  run(session, text) {
    if (text === '') throw new Error('Usage: /steer TEXT');
    session.steer({ text, attachments: [] });
  },
};

export const queue: ChatCommand = {
  name: 'queue',
  description: 'edit a queued message; `drop`: edit all',
  takes: 'drop',
  async run({ line, notices, panels }, argument) {
    if (argument === 'drop') {
      const taken = await line.takeAllBack();
      return notices.notify(taken === 0 ? 'No queued messages.' : 'Queue moved to the input.');
    }
    const waiting = line.messages();
    const entries = waiting.map(({ message_id, sent }) => ({
      id: message_id,
      label: sent.text.replace(/\s+/g, ' ') || counted(sent.attachments.length, 'attachment'),
    }));
    panels.pick({ title: 'Queued: edit …', entries, empty: 'no queued messages' }, ({ id }) =>
      line.takeBack(waiting.find(each => each.message_id === id)!),
    );
  },
};

export const compact: ChatCommand = {
  name: 'compact',
  description: 'compact the conversation',
  async run(session) {
    const { id } = requireChat(session);
    session.notices.notify('Compacting …');
    const { folded } = await session.client.compactChat(id);
    session.notices.notify(folded ? 'Conversation compacted.' : 'There is nothing to compact.');
    await session.chats.shown?.view.refresh();
  },
};

export const sleep: ChatCommand = {
  name: 'sleep',
  description: 'queue new turns until a time, or until you wake the server',
  takes: '30m',
  async run(session, argument) {
    const until = argument === '' ? {} : { until: parseMoment(argument, Date.now()) };
    await session.client.sleep(until);
  },
};

export const wake: ChatCommand = {
  name: 'wake',
  description: 'wake the server and sleeping turns',
  async run(session) {
    const { woken } = await session.client.wake();
    session.notices.notify(`Awake; ${counted(woken.length, 'turn')} woken.`);
  },
};

export const plan: ChatCommand = {
  name: 'plan',
  description: 'show the plan; `clear` removes it',
  takes: 'clear',
  async run(session, argument) {
    const { id } = requireChat(session);
    if (argument === 'clear') {
      await session.client.erasePlan(id);
      await session.chats.shown?.view.refresh();
      return;
    }
    const { tasks } = await session.client.getPlan(id);
    const boxes = { pending: '☐', in_progress: '▸', completed: '☑' };
    session.panels.look(
      'Plan',
      tasks.map(task => `${boxes[task.status]} ${task.title}`),
      'no plan',
    );
  },
};

export const notes: ChatCommand = {
  name: 'notes',
  description: "show this chat's notebook",
  async run(session) {
    const { text } = await session.client.getNotebook(requireChat(session).id);
    session.panels.look('Notebook', text === '' ? [] : splitLines(text), 'the notebook is empty');
  },
};

export const books: ChatCommand = {
  name: 'books',
  description: "list the books on this chat's shelf",
  async run(session) {
    const { shelf } = requireChat(session);
    const found = await session.client.listBooks({ shelf });
    session.panels.look(
      `Books on shelf ${shelf}`,
      found.books.map(({ title, author, count, unit }) => facts(title, author, counted(count, unit))),
      'no books on this shelf',
    );
  },
};

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses `90s`, `30m`, `8h`, `1d` from now, or a time. Returns an ISO 8601 timestamp.
 * @param now milliseconds since 1970
 * @param command its name, for the error message
 * @throws Error with a sentence for the user
 */
export function parseMoment(text: string, now: number, command = '/sleep'): string {
  const [, amount, unit] = /^(\d+)\s*([smhd])$/.exec(text) ?? [];
  // `Date.parse` reads `8x` as a month of 2001.
  const moment = MOMENT.test(text) ? new Date(text) : new Date(Number.NaN);
  const at = amount === undefined ? moment : new Date(now + Number(amount) * UNIT_MS[unit as 'm']);
  if (Number.isNaN(at.getTime()))
    throw new Error(`${command} takes 90s, 30m, 8h, 1d or a time such as 2030-01-31 07:00.`);
  if (at.getTime() <= now) throw new Error(`${command} ${text} is in the past.`);
  return at.toISOString();
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/;
