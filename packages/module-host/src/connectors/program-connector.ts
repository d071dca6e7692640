/**
 * Starts a module as a program and communicates with it over stdio. The program never outlives the kernel, however that
 * ends.
 */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { harmlessVariables, type ProcessEnvironment, signalGroup } from '@chat-kernel/hands/processes';
import type { ModuleChannel, ModuleConnector } from './connector.ts';

const SUPERVISE = fileURLToPath(new URL('supervise-module.sh', import.meta.url));
/** A module that exits voluntarily closes its output first, and exits within this time. */
const EXIT_MS = 300;
/** By then the watcher of supervise-module.sh has used its 2 seconds. */
const FORCE_MS = 4000;

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
  const child = spawn('/bin/sh', [SUPERVISE, command, ...args], {
    env: { HOME: homedir(), ...harmlessVariables(environment), ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { promise: exit, resolve } = Promise.withResolvers<string>();
  child.once('error', error => resolve(`it could not be started: ${error.message}`));
  child.once('exit', (code, signal) => resolve(exitSentence(code, signal, command)));
  const { pid } = child;
  if (pid === undefined) throw new Error(await exit);
  const [stdin, stdout, stderr, line] = child.stdio as unknown as [Writable, Readable, Readable, Readable];
  for (const pipe of [stderr, line]) pipe.on('error', () => {});
  stderr.setEncoding('utf8').on('data', onPrinted);
  return {
    readable: stdout,
    writable: stdin,
    async end({ reason, left }) {
      const byItself = left && (await Promise.race([exit, sleep(EXIT_MS, undefined)]));
      line.destroy();
      // The watcher may have been killed.
      const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), FORCE_MS);
      await exit;
      clearTimeout(force);
      return byItself || reason;
    },
  };
}

function exitSentence(code: number | null, signal: string | null, command: string): string {
  if (code === null) return `it was terminated by ${signal}`;
  // The exit codes of a shell that cannot run the command.
  const why =
    { 126: `: ${command} is not executable`, 127: `: the program ${command} was not found` }[code] ?? '';
  return `it ended with exit code ${code}${why}`;
}
