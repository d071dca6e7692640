/** Lists the connected machines and selects the one that the chat uses. */
import { moment } from '../text/amounts.ts';
import { exact } from '../text/safe.ts';
import { type ChatCommand, requireChat } from './command.ts';

/** The picker entry of this terminal's machine. Machine names are never empty. */
const HERE = '';

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
