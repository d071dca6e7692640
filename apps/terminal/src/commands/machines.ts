/** The command about machines that stand by: which there are, and on which one the chat acts. */
import { moment } from '../text/amounts.ts';
import { exact } from '../text/safe.ts';
import { type ChatCommand, chatOf } from './command.ts';

/** Stands for the machine of this terminal in the picker: no machine has an empty name. */
const HERE = '';

export const machines: ChatCommand = {
  name: 'machines',
  description: 'on which machine the chat acts: this one, or one that stands by',
  takes: '<name>',
  async run(session, argument) {
    const { client, store } = session;
    const chat = chatOf(session);
    if (store.get().snapshot.busy)
      throw new Error('A turn runs: cancel it first, for its hands are elsewhere.');
    const act = async (name: string) => {
      const there = { workdir: null, workdir_on: 'client', hands: name } as const;
      const here = { workdir: store.get().workdir, workdir_on: 'client' } as const;
      session.open(await client.setWorkdir(chat.id, name === HERE ? here : there), 'again');
    };
    const { hands } = await client.listHands();
    if (hands.some(({ name }) => name === argument)) return act(argument);
    const standing = hands.map(({ name, here, since, platform }) => ({
      id: name,
      label: exact(name),
      detail: `${here ? 'here' : 'away'} since ${moment(since, Date.now())} · ${exact(platform)}${chat.hands === name ? ' · this chat acts there' : ''}`,
    }));
    const entries = [{ id: HERE, label: 'this machine', detail: store.get().workdir }, ...standing];
    session.panels.pick({ title: 'Machines', entries }, ({ id }) => act(id));
  },
};
