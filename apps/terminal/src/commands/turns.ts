/** Commands about turns and sleep, and about the things that a chat keeps: plan, notebook, books. */

import { waitingHere } from '../state/waiting-messages.ts';
import { count } from '../text/amounts.ts';
import { linesOf } from '../text/safe.ts';
import { type ChatCommand, chatOf } from './command.ts';

export const cancel: ChatCommand = {
  name: 'cancel',
  description: 'end the turn that runs; so does Esc',
  run: session => session.turns.cancel(),
};

export const queue: ChatCommand = {
  name: 'queue',
  description: 'what waits; `drop` cancels it and the turn that runs',
  takes: 'drop',
  async run(session, argument) {
    const waiting = waitingHere(session.store.get());
    if (argument === 'drop') await session.turns.cancel({ queued: true });
    else
      session.panels.look(
        'Waiting',
        waiting.map(({ text }) => text.replace(/\s+/g, ' ')),
        'nothing of yours waits',
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
    const until = argument === '' ? {} : { until: momentOf(argument) };
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

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `30m`, `8h`, `1d` from now, or a moment, as an ISO 8601 timestamp. @throws Error with a sentence for the owner */
export function momentOf(text: string, command = '/sleep'): string {
  const [, amount, unit] = /^(\d+)\s*([mhd])$/.exec(text) ?? [];
  const at =
    amount === undefined ? new Date(text) : new Date(Date.now() + Number(amount) * UNIT_MS[unit as 'm']);
  if (Number.isNaN(at.getTime()))
    throw new Error(`${command} takes 30m, 8h, 1d or a moment such as 2030-01-31 07:00`);
  return at.toISOString();
}
