/**
 * Starts a module as a program and communicates with it over stdio. The program never outlives the kernel, however that
 * ends.
 */
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { harmlessVariables, type ProcessEnvironment, startSupervised } from '@chat-kernel/hands/processes';
import type { ModuleChannel, ModuleConnector } from './connector.ts';

/** A module that exits voluntarily closes its output first, and exits within this time. */
const EXIT_MS = 300;

interface ModuleProgram {
  command: string;
  args?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
}

/** @param onPrinted receives the output of the program on stderr */
export const programConnector = (
  program: ModuleProgram,
  environment: ProcessEnvironment,
  onPrinted: (text: string) => void,
): ModuleConnector => ({ starts: true, open: () => start(program, environment, onPrinted) });

async function start(
  { command, args = [], env = {} }: ModuleProgram,
  environment: ProcessEnvironment,
  onPrinted: (text: string) => void,
): Promise<ModuleChannel> {
  const { child, ended, end } = startSupervised([command, ...args], {
    env: { HOME: homedir(), ...harmlessVariables(environment), ...env },
  });
  if (child.pid === undefined) throw new Error(await ended);
  child.stderr?.setEncoding('utf8').on('data', onPrinted);
  return {
    readable: child.stdout as Readable,
    writable: child.stdin as Writable,
    async end({ reason, left }) {
      const byItself = left && (await Promise.race([ended, sleep(EXIT_MS, undefined)]));
      end();
      await ended;
      return byItself || reason;
    },
  };
}
