/** On which machine a chat's tools work. That a turn touches none is a wish of this page, for the kernel has it for each turn. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { keep, kept } from '../base/kept.ts';
import { handsOf, type Machine } from '../composer/choices.tsx';

const keyOf = (chatId: string) => `no-machine:${chatId}`;
const directoryKey = (machine: Machine) => (machine === 'server' ? 'directory' : `directory:${machine}`);

export function machineOf({ id, workdir_on, hands }: Chat): Machine {
  if (kept(keyOf(id))) return 'none';
  return hands === null ? workdir_on : `hands:${hands}`;
}

/** Whether a chat can be given a directory there by somebody who is elsewhere. */
export const hasDirectory = (machine: Machine): boolean => machine === 'server' || handsOf(machine) !== null;

/** The directory that was last said of the machine. One machine's means nothing on another. */
export const lastDirectory = (machine: Machine): string | null =>
  hasDirectory(machine) ? kept(directoryKey(machine)) : null;

/** What a chat has to be given to work there. @param directory empty: none */
export function placeOn(machine: Machine, directory: string) {
  const workdir = directory.trim() || null;
  const workdir_on = machine === 'server' ? ('server' as const) : ('client' as const);
  return { workdir, workdir_on, hands: handsOf(machine) };
}

/** Gives the chat another directory of its machine. Resolves with the chat as it is then. */
export async function setDirectory(client: KernelClient, chat: Chat, directory: string): Promise<Chat> {
  const machine = machineOf(chat);
  const changed = await client.setWorkdir(chat.id, placeOn(machine, directory));
  keepDirectory(machine, directory);
  return changed;
}

export const keepDirectory = (machine: Machine, directory: string): void =>
  keep(directoryKey(machine), directory.trim());

/** Resolves with the chat as it is then. */
export async function setMachine(client: KernelClient, chat: Chat, machine: Machine): Promise<Chat> {
  keep(keyOf(chat.id), machine === 'none' ? 'yes' : null);
  if (machine === 'none' || machine === machineOf(chat)) return { ...chat };
  const changed = await client.setWorkdir(chat.id, placeOn(machine, lastDirectory(machine) ?? ''));
  return machine === 'server' && chat.consent === 'auto'
    ? client.patchChat(chat.id, { consent: 'ask' })
    : changed;
}
