/** Reads --sandbox and --env: how commands of models run on this machine. */
import { ownCommands } from '@chat-kernel/hands/commands';
import { CommandError } from '@chat-kernel/settings/start-failure';

export interface CommandFlags {
  sandbox?: string | undefined;
  env?: string[] | undefined;
}

/** @throws CommandError for an unknown kind of sandbox */
export function commandOptions({ sandbox = 'auto', env = [] }: CommandFlags) {
  if (sandbox !== 'auto' && sandbox !== 'none') throw new CommandError('--sandbox must be auto or none.');
  return ownCommands({ sandbox, env });
}

/** Returns the flags as words, for a service that starts this command. */
export const commandWords = ({ sandbox, env = [] }: CommandFlags): string[] => [
  ...(sandbox === undefined ? [] : ['--sandbox', sandbox]),
  ...env.flatMap(name => ['--env', name]),
];
