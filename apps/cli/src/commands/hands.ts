/** `chat-kernel hands`: passes the options to the terminal client. */
import { resolve } from 'node:path';
import { MachineName } from '@chat-kernel/protocol';
import { hands, install, uninstall } from '@chat-kernel/terminal/hands';
import { type AddressFlags, kernelAddress } from './address.ts';
import { type CommandFlags, commandOptions, commandWords } from './command-options.ts';
import { PROGRAM } from './program.ts';
import { usage } from './run.ts';

export interface HandsFlags extends AddressFlags, CommandFlags {
  name: string;
  allow?: string[];
  install?: boolean;
  uninstall?: boolean;
}

export async function runHands(flags: HandsFlags): Promise<void> {
  const { name, allow = ['.'], install: installs, uninstall: removes, ...others } = flags;
  const { sandbox, env, ...address } = others;
  const named = MachineName.safeParse(name);
  if (!named.success)
    return usage('hands', '--name must be the name of this machine in chats, such as laptop.');
  const program = { words: [process.execPath, PROGRAM], platform: process.platform, env: process.env };
  if (removes) {
    process.stdout.write(uninstall(name, program));
    return;
  }
  const commands = commandOptions({ sandbox, env });
  const { url, token } = await kernelAddress(address);
  const directories = allow.map(each => resolve(each)) as [string, ...string[]];
  const options = { url, token, name, allow: directories, commands, words: commandWords({ sandbox, env }) };
  if (installs) process.stdout.write(install(options, program));
  else process.exitCode = await hands(options);
}
