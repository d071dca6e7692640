/** Selects the machine for a chat's tools. "No machine" is stored on this device, because the kernel has it per turn only. */
import type { Chat, KernelClient } from '@chat-kernel/client';
import { readStored, writeStored } from '../base/storage.ts';
import { type Machine, parseHandsName } from '../composer/choices.tsx';

const storageKey = (chatId: string) => `no-machine:${chatId}`;
const directoryKey = (machine: Machine) => (machine === 'server' ? 'directory' : `directory:${machine}`);

export function findMachine({ id, workdir_on, hands }: Chat): Machine {
  if (readStored(storageKey(id))) return 'none';
  return hands === null ? workdir_on : `hands:${hands}`;
}

/** True if the page can set a working directory on this machine. */
export const hasDirectory = (machine: Machine): boolean =>
  machine === 'server' || parseHandsName(machine) !== null;

/** The directory that was last used on the machine. A directory of one machine is not offered on another. */
export const lastDirectory = (machine: Machine): string | null =>
  hasDirectory(machine) ? readStored(directoryKey(machine)) : null;

/** Returns the chat fields for a machine and a directory. @param directory empty: none */
export function placeOn(machine: Machine, directory: string) {
  const workdir = directory.trim() || null;
  const workdir_on = machine === 'server' ? ('server' as const) : ('client' as const);
  return { workdir, workdir_on, hands: parseHandsName(machine) };
}

/** Sets the working directory of a chat. Resolves with the updated chat. */
export async function setDirectory(client: KernelClient, chat: Chat, directory: string): Promise<Chat> {
  const machine = findMachine(chat);
  const changed = await client.setWorkdir(chat.id, placeOn(machine, directory));
  keepDirectory(machine, directory);
  return changed;
}

export const keepDirectory = (machine: Machine, directory: string): void =>
  writeStored(directoryKey(machine), directory.trim());

/** Sets the machine of a chat. Resolves with the updated chat. */
export async function setMachine(client: KernelClient, chat: Chat, machine: Machine): Promise<Chat> {
  writeStored(storageKey(chat.id), machine === 'none' ? 'yes' : null);
  if (machine === 'none' || machine === findMachine(chat)) return { ...chat };
  const changed = await client.setWorkdir(chat.id, placeOn(machine, lastDirectory(machine) ?? ''));
  return machine === 'server' && chat.consent === 'auto'
    ? client.patchChat(chat.id, { consent: 'ask' })
    : changed;
}
