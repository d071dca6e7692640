/** A module that the kernel starts, and speaks to over stdio. It never outlives the kernel, however that ends. */
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Channel, Way } from './connector.ts';

const SUPERVISE = fileURLToPath(new URL('supervise.sh', import.meta.url));
/** Between the end of its output and its exit, when it ends by itself. */
const EXIT_MS = 300;
/** Its watcher has used its 2 seconds by then. */
const FORCE_MS = 4000;
/** What programs need, and nothing that may be a secret of the kernel. */
const PASSED_ON = ['HOME', 'LANG', 'PATH', 'SHELL', 'TMPDIR', 'USER'];

export interface ModuleCommand {
  command: string;
  args?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @param onPrinted gets what it prints as errors */
export const commandWay = (
  command: ModuleCommand,
  kernelsEnvironment: Environment,
  onPrinted: (text: string) => void,
): Way => ({ starts: true, open: () => start(command, kernelsEnvironment, onPrinted) });

async function start(
  { command, args = [], env = {} }: ModuleCommand,
  kernelsEnvironment: Environment,
  onPrinted: (text: string) => void,
): Promise<Channel> {
  const child = spawn('/bin/sh', [SUPERVISE, command, ...args], {
    env: { ...harmless(kernelsEnvironment), ...env },
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
      const force = setTimeout(() => killGroup(pid), FORCE_MS);
      await exit;
      clearTimeout(force);
      return byItself || reason;
    },
  };
}

function harmless(kernels: Environment): Record<string, string> {
  const environment: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() };
  for (const [name, value] of Object.entries(kernels)) {
    if (value !== undefined && (PASSED_ON.includes(name) || name.startsWith('LC_')))
      environment[name] = value;
  }
  return environment;
}

function exitSentence(code: number | null, signal: string | null, command: string): string {
  if (code === null) return `it was ended by ${signal}`;
  // As the shell says it.
  const why = { 126: `: ${command} cannot be run`, 127: `: there is no program ${command}` }[code] ?? '';
  return `it ended with exit code ${code}${why}`;
}

/** For the case that its watcher is gone. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
