/** Commands about the settings of a chat, its approvals and its cost. */
import { stat } from 'node:fs/promises';
import type { Chat } from '@chat-kernel/client';
import type { PickerEntry } from '../dialogs/picker.ts';
import { effortEntries, modelEntries } from '../dialogs/picker-entries.ts';
import { typedPath } from '../machine/paths.ts';
import type { ChatSession } from '../session/session.ts';
import { modelOf } from '../state/status.ts';
import { cost as dollars, moment, short } from '../text/amounts.ts';
import { exact } from '../text/safe.ts';
import { unquoted } from '../text/words.ts';
import { type ChatCommand, chatOf } from './command.ts';

export const model: ChatCommand = {
  name: 'model',
  description: 'choose the model',
  takes: '<id>',
  async run(session, argument) {
    const { client, store } = session;
    const set = async (id: string) => {
      if (store.get().chat === null) session.newChat.set({ model: id });
      else await session.shownChat.change(chatId => client.setModel(chatId, { model: id }));
    };
    const list = await session.kernel.readModels();
    if (list.models.some(({ id }) => id === argument)) return set(argument);
    const entries = modelEntries(list.models, modelOf(store.get()));
    const near = argument === '' ? entries : entries.filter(({ id }) => id.includes(argument));
    session.panels.pick({ title: 'Model', entries: near, empty: 'no such model' }, ({ id }) => set(id));
  },
};

export const effort: ChatCommand = {
  name: 'effort',
  description: 'how hard it thinks: off, low, mid, high',
  takes: '<level>',
  async run(session, argument) {
    const { client, store } = session;
    const { chat, newChat } = store.get();
    const { models, effort_default } = await client.listModels();
    const used = models.find(({ id }) => id === modelOf(store.get()));
    const entries = effortEntries(
      used?.efforts ?? ['off', 'low', 'mid', 'high'],
      chat === null ? (newChat.effort ?? null) : chat.effort,
      used?.effort ?? effort_default,
    );
    const set = ({ id }: PickerEntry) =>
      setEffort(session, id === '' ? null : (id as NonNullable<Chat['effort']>));
    const named = entries.find(({ label }) => label === argument);
    if (named !== undefined) return set(named);
    session.panels.pick({ title: 'Effort', entries }, set);
  },
};

async function setEffort(session: ChatSession, level: Chat['effort']): Promise<void> {
  const { client, store, newChat, shownChat } = session;
  const { chat } = store.get();
  if (chat !== null) {
    const { effort } = await client.setEffort(chat.id, { level });
    return shownChat.update({ ...chat, effort });
  }
  if (level === null) newChat.clearEffort();
  else newChat.set({ effort: level });
}

export const workdir: ChatCommand = {
  name: 'workdir',
  description: 'where the chat works, on its machine',
  takes: '<folder>',
  async run(session, argument) {
    const { client, store } = session;
    const { chat, workdir: present, snapshot } = store.get();
    if (argument === '') {
      const where = chat === null ? present : chat.workdir;
      return session.notices.notify(where === null ? 'This chat has no folder.' : `${where}${on(chat)}`);
    }
    if (snapshot.busy) throw new Error('A turn runs: cancel it first, for its hands are elsewhere.');
    if (chat?.hands) return moveThere(session, chat, argument);
    const folder = typedPath(present, argument);
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is no folder`);
    session.newChat.setWorkdir(folder);
    if (chat === null) return;
    const location = { workdir: folder, workdir_on: 'client' } as const;
    // The hands of an open chat work in the directory that it had when it was opened.
    session.open(await client.setWorkdir(chat.id, location), 'again');
  },
};

function on(chat: Chat | null): string {
  if (chat?.hands) return ` (on ${exact(chat.hands)})`;
  return chat?.workdir_on === 'server' ? " (on the kernel's machine)" : '';
}

/** Moves a chat to another folder of the machine that stands by for it, which alone knows its folders. */
async function moveThere(session: ChatSession, chat: Chat, typed: string): Promise<void> {
  const workdir = unquoted(typed);
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(workdir))
    throw new Error(`This chat acts on ${exact(chat.hands!)}: name the whole path of a folder there.`);
  const location = { workdir, workdir_on: 'client', hands: chat.hands } as const;
  session.open(await session.client.setWorkdir(chat.id, location), 'again');
}

export const approvals: ChatCommand = {
  name: 'approvals',
  description: 'what runs without asking; choose one to take it back',
  async run(session) {
    const { client, store } = session;
    const given = (await client.request('GET', '/v1/approvals')).approvals;
    const here = store.get().chat?.id;
    const entries = given.map(({ id, chat_id, action, command, prefix, hands, decision, created_at }) => ({
      id,
      label: exact(command === undefined ? action : `${action} ${command.replaceAll('\n', ' ⏎ ')}`),
      detail: [
        ...(prefix === undefined ? [] : [`beginning with ${exact(prefix)}`]),
        ...(decision === 'allow_edits' ? ['below the folder, none of git or the shell'] : []),
        ...(hands === undefined ? [] : [`on ${exact(hands)}`]),
        decision === 'allow_session' ? 'until the kernel stops' : 'always',
        chat_id === here ? 'this chat' : 'another chat',
        moment(created_at, Date.now()),
      ].join(' · '),
    }));
    const confirm = () => 'Take it back, so that you are asked again?';
    session.panels.pick(
      { title: 'Approvals', entries, confirm, empty: 'everything is asked about' },
      async ({ id }) => {
        await client.request('DELETE', '/v1/approvals/{id}', { path: { id } });
        session.notices.notify('Taken back.');
      },
    );
  },
};

export const cost: ChatCommand = {
  name: 'cost',
  description: 'tokens and dollars of this chat, by model',
  async run(session) {
    const { id } = chatOf(session);
    const spend = await session.client.getSpend(id);
    session.shownChat.takeSpend(id, spend);
    const row = (name: string, used: Omit<typeof spend, 'prefix_tokens' | 'by_model' | 'caps'>) =>
      `${name}: ${dollars(used.cost_usd)} · ${short(used.prompt_tokens)} in, of them ${short(used.cached_tokens)} cached` +
      ` · ${short(used.completion_tokens)} out · ${used.turns} turns`;
    const caps = (spend.caps ?? []).map(
      ({ scope, unit, spent, cap }) =>
        `cap of a ${scope}: ${unit === 'usd' ? `${dollars(spent)} of ${dollars(cap)}` : `${short(spent)} of ${short(cap)} tokens`}`,
    );
    const lines = [row('all', spend), ...spend.by_model.map(each => row(each.model, each)), ...caps];
    session.panels.look('Cost', lines, '');
  },
};
