/** `chat-kernel hands`: hands the words of the command line to the terminal client. */
import { resolve } from 'node:path';
import { MachineName } from '@chat-kernel/protocol';
import { hands, install, uninstall } from '@chat-kernel/terminal/hands';
import { explain } from '../start/start-failure.ts';
import { type AddressFlags, kernelAddress } from './address.ts';
import { PROGRAM } from './program.ts';

export interface HandsFlags extends AddressFlags {
  name?: string;
  allow?: string[];
  install?: boolean;
  uninstall?: boolean;
}
const USAGE = 2;

export async function standByHere(flags: HandsFlags): Promise<void> {
  const { name = '', allow = ['.'], install: installs, uninstall: removes, ...address } = flags;
  const named = MachineName.safeParse(name);
  if (!named.success) return usage('--name is what chats call this machine, such as --name laptop');
  const program = { words: [process.execPath, PROGRAM], platform: process.platform, env: process.env };
  try {
    if (removes) {
      process.stdout.write(uninstall(name, program));
      return;
    }
    const { url, token } = await kernelAddress(address);
    const directories = allow.map(each => resolve(each)) as [string, ...string[]];
    const options = { url, token, name, allow: directories };
    if (installs) process.stdout.write(install(options, program));
    else process.exitCode = await hands(options);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = USAGE;
  }
}

function usage(sentence: string): void {
  process.stderr.write(`chat-kernel hands: ${sentence}\n`);
  process.exitCode = USAGE;
}
