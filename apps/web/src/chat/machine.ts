/** On which machine a chat's tools work. That a turn touches none is a wish of this page, for the kernel has it for each turn. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { keep, kept } from '../base/kept.ts';
import { handsOf, type Machine } from '../composer/choices.tsx';

const keyOf = (chatId: string) => `no-machine:${chatId}`;

export function machineOf({ id, workdir_on, hands }: Chat): Machine {
  if (kept(keyOf(id))) return 'none';
  return hands === null ? workdir_on : `hands:${hands}`;
}

/** Resolves with the chat as it is then. */
export async function setMachine(client: KernelClient, chat: Chat, machine: Machine): Promise<Chat> {
  keep(keyOf(chat.id), machine === 'none' ? 'yes' : null);
  if (machine === 'none' || machine === machineOf(chat)) return { ...chat };
  const hands = handsOf(machine);
  if (hands !== null) {
    const workdir_on = 'client' as const;
    return client.setWorkdir(chat.id, { workdir: null, workdir_on, hands });
  }
  // A directory of one machine means nothing on the other.
  const workdir = machine === 'server' ? kept('directory') : null;
  await client.setWorkdir(chat.id, { workdir, workdir_on: machine === 'server' ? 'server' : 'client' });
  if (machine === 'server' && chat.consent === 'auto') await client.patchChat(chat.id, { consent: 'ask' });
  return client.getChat(chat.id);
}
