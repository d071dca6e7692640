/** Commands for the settings, the machine and the cost of a chat. */
import { stat } from 'node:fs/promises';
import type { Chat } from '@chat-kernel/client';
import { compact, dollars } from '@chat-kernel/text';
import type { PickerEntry } from '../dialogs/picker.ts';
import { effortEntries, modelEntries } from '../dialogs/picker-entries.ts';
import { typedPath } from '../machine/paths.ts';
import type { ChatSession } from '../session/session.ts';
import { selectModel } from '../state/status.ts';
import { moment } from '../text/amounts.ts';
import { unquoted } from '../text/normalize.ts';
import { exact } from '../text/safe.ts';
import { type ChatCommand, requireChat } from './command.ts';

export const model: ChatCommand = {
  name: 'model',
  description: 'choose the model',
  takes: '<id>',
  async run(session, argument) {
    const { client, store } = session;
    const set = async (id: string) => {
      if (store.get().chat === null) session.setNewChat({ model: id });
      else await session.shownChat.change(chatId => client.setModel(chatId, { model: id }));
    };
    const list = await session.kernel.readModels();
    if (list.models.some(({ id }) => id === argument)) return set(argument);
    const entries = modelEntries(list.models, selectModel(store.get()));
    const near = argument === '' ? entries : entries.filter(({ id }) => id.includes(argument));
    session.panels.pick({ title: 'Model', entries: near, empty: 'no matching models' }, ({ id }) => set(id));
  },
};

export const effort: ChatCommand = {
  name: 'effort',
  description: 'set effort: off, low, mid, high',
  takes: '<level>',
  async run(session, argument) {
    const { client, store } = session;
    const { chat, newChat } = store.get();
    const { models, effort_default } = await client.listModels();
    const used = models.find(({ id }) => id === selectModel(store.get()));
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
  const { client, store, shownChat } = session;
  const { chat } = store.get();
  if (chat !== null) {
    const { effort } = await client.setEffort(chat.id, { level });
    return shownChat.update({ ...chat, effort });
  }
  session.setNewChat({ effort: level ?? undefined });
}

export const workdir: ChatCommand = {
  name: 'workdir',
  description: 'show or set the working directory',
  takes: '<folder>',
  async run(session, argument) {
    const { client, store } = session;
    const { chat, workdir: present, snapshot } = store.get();
    if (argument === '') {
      const where = chat === null ? present : chat.workdir;
      return session.notices.notify(
        where === null ? 'This chat has no working directory.' : `${where}${on(chat)}`,
      );
    }
    if (snapshot.busy) throw new Error('Stop the running turn first.');
    if (chat?.hands) return moveThere(session, chat, argument);
    const folder = typedPath(present, argument);
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder.`);
    store.set({ workdir: folder });
    if (chat === null) return;
    const location = { workdir: folder, workdir_on: 'client' } as const;
    // The hands of an open chat keep its old directory, so open the chat again.
    session.open(await client.setWorkdir(chat.id, location), 'again');
  },
};

function on(chat: Chat | null): string {
  if (chat?.hands) return ` (on ${exact(chat.hands)})`;
  return chat?.workdir_on === 'server' ? ' (on the server)' : '';
}

/** Changes the working directory on another machine. Only that machine can check the folder. */
async function moveThere(session: ChatSession, chat: Chat, typed: string): Promise<void> {
  const workdir = unquoted(typed);
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(workdir))
    throw new Error(`This chat uses ${exact(chat.hands!)}. Enter the absolute path of a folder there.`);
  const location = { workdir, workdir_on: 'client', hands: chat.hands } as const;
  session.open(await session.client.setWorkdir(chat.id, location), 'again');
}

export const cost: ChatCommand = {
  name: 'cost',
  description: 'show tokens and cost of this chat, by model',
  async run(session) {
    const { id } = requireChat(session);
    const spend = await session.client.getSpend(id);
    session.shownChat.takeSpend(id, spend);
    const row = (name: string, used: Omit<typeof spend, 'prefix_tokens' | 'by_model' | 'caps'>) =>
      `${name}: ${dollars(used.cost_usd)} · ${compact(used.prompt_tokens)} in (${compact(used.cached_tokens)} cached)` +
      ` · ${compact(used.completion_tokens)} out · ${used.turns} turns`;
    const caps = (spend.caps ?? []).map(
      ({ scope, unit, spent, cap }) =>
        `${scope} limit: ${unit === 'usd' ? `${dollars(spent)} of ${dollars(cap)}` : `${compact(spent)} of ${compact(cap)} tokens`}`,
    );
    const lines = [row('all', spend), ...spend.by_model.map(each => row(each.model, each)), ...caps];
    session.panels.look('Cost', lines, '');
  },
};

/** The picker entry of this terminal's machine. Machine names are never empty. */
const HERE = '';

/** Lists the connected machines and selects the one that the chat uses. */
export const machines: ChatCommand = {
  name: 'machines',
  description: 'choose the machine for this chat',
  takes: '<name>',
  async run(session, argument) {
    const { client, store } = session;
    const chat = requireChat(session);
    if (store.get().snapshot.busy) throw new Error('Stop the running turn first.');
    const act = async (name: string) => {
      const change = { workdir: null, workdir_on: 'client', hands: name } as const;
      const here = { workdir: store.get().workdir, workdir_on: 'client' } as const;
      session.open(await client.setWorkdir(chat.id, name === HERE ? here : change), 'again');
    };
    const { hands } = await client.listHands();
    if (hands.some(({ name }) => name === argument)) return act(argument);
    const standing = hands.map(({ name, here, since, platform }) => ({
      id: name,
      label: exact(name),
      detail: `${here ? 'online' : 'offline'} since ${moment(since, Date.now())} · ${exact(platform)}${chat.hands === name ? ' · used by this chat' : ''}`,
    }));
    const entries = [{ id: HERE, label: 'this machine', detail: store.get().workdir }, ...standing];
    session.panels.pick({ title: 'Machines', entries }, ({ id }) => act(id));
  },
};
