/** Commands about turns and sleep, and about the things that a chat keeps: plan, notebook, books. */

import { count } from '../text/amounts.ts';
import { linesOf } from '../text/safe.ts';
import { type ChatCommand, chatOf } from './command.ts';

export const cancel: ChatCommand = {
  name: 'cancel',
  description: 'end the turn that runs; so does Esc. `queue` drops what waits, too',
  takes: 'queue',
  async run({ input, turns }, argument) {
    const dropped = await turns.cancel({ queued: argument === 'queue' });
    for (const sent of dropped.toReversed()) input.restore(sent);
  },
};

export const steer: ChatCommand = {
  name: 'steer',
  description: 'a message that goes in after the present step; so does Ctrl-S',
  takes: '<text>',
  run(session, text) {
    if (text === '') throw new Error('What? /steer and a message');
    session.steer({ text, attachments: [] });
  },
};

export const queue: ChatCommand = {
  name: 'queue',
  description: 'what waits; the one you choose is in the input again, with `drop` all are',
  takes: 'drop',
  async run({ line, notices, panels }, argument) {
    if (argument === 'drop') {
      const taken = await line.takeAllBack();
      return notices.notify(taken === 0 ? 'Nothing of yours waits.' : 'They wait no more.');
    }
    const waiting = line.messages;
    const entries = waiting.map(({ message_id, sent }) => ({
      id: message_id,
      label: sent.text.replace(/\s+/g, ' ') || count(sent.attachments.length, 'attachment'),
    }));
    panels.pick({ title: 'Waiting: take back …', entries, empty: 'nothing of yours waits' }, ({ id }) =>
      line.takeBack(waiting.find(each => each.message_id === id)!),
    );
  },
};

export const compact: ChatCommand = {
  name: 'compact',
  description: 'fold older history into a summary now',
  async run(session) {
    const { id } = chatOf(session);
    session.notices.notify('folding older history …');
    const { folded } = await session.client.compactChat(id);
    session.notices.notify(folded ? 'Older history is folded.' : 'There is nothing to fold.');
    await session.chats.shown?.view.refresh();
  },
};

export const sleep: ChatCommand = {
  name: 'sleep',
  description: 'let new turns wait, for so long or until woken',
  takes: '30m',
  async run(session, argument) {
    const until = argument === '' ? {} : { until: momentOf(argument, Date.now()) };
    await session.client.request('POST', '/v1/sleep', { body: until });
  },
};

export const wake: ChatCommand = {
  name: 'wake',
  description: 'wake the kernel and all turns that sleep',
  async run(session) {
    const { woken } = await session.client.request('POST', '/v1/sleep/wake');
    session.notices.notify(`Awake; ${count(woken.length, 'turn')} woken.`);
  },
};

export const plan: ChatCommand = {
  name: 'plan',
  description: 'look at the plan; `clear` takes it away',
  takes: 'clear',
  async run(session, argument) {
    const { id } = chatOf(session);
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
      'there is no plan',
    );
  },
};

export const notes: ChatCommand = {
  name: 'notes',
  description: 'look at the notebook of this chat',
  async run(session) {
    const { text } = await session.client.getNotebook(chatOf(session).id);
    session.panels.look('Notebook', text === '' ? [] : linesOf(text), 'the notebook is empty');
  },
};

export const books: ChatCommand = {
  name: 'books',
  description: 'the books on the shelf of this chat',
  async run(session) {
    const { shelf } = chatOf(session);
    const found = await session.client.request('GET', '/v1/books', { query: { shelf } });
    session.panels.look(
      `Books on the shelf ${shelf}`,
      found.books.map(({ title, author, count: many, unit }) =>
        [title, author ?? '', count(many, unit)].filter(each => each !== '').join(' · '),
      ),
      'this shelf is empty',
    );
  },
};

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads `90s`, `30m`, `8h`, `1d` from now, or a moment, as an ISO 8601 timestamp.
 * @param now milliseconds since 1970
 * @param command for the sentence
 * @throws Error with a sentence for the owner
 */
export function momentOf(text: string, now: number, command = '/sleep'): string {
  const [, amount, unit] = /^(\d+)\s*([smhd])$/.exec(text) ?? [];
  // Node reads `8x` as a month of 2001.
  const moment = MOMENT.test(text) ? new Date(text) : new Date(Number.NaN);
  const at = amount === undefined ? moment : new Date(now + Number(amount) * UNIT_MS[unit as 'm']);
  if (Number.isNaN(at.getTime()))
    throw new Error(`${command} takes 90s, 30m, 8h, 1d or a moment such as 2030-01-31 07:00`);
  if (at.getTime() <= now) throw new Error(`${command} ${text} is over already.`);
  return at.toISOString();
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/;
