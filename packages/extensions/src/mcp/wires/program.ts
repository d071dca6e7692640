/** The program of a guest: a process group of its own, which ends with the connection and with the kernel. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  pid: number | undefined;
  input: Writable;
  output: Readable;
  errors: Readable;
  /** A sentence on how it ended, or could not be started. */
  ended: Promise<string>;
  /** Ends its input, then sends SIGTERM, then SIGKILL to the group, each after `graceMs`. Resolves when it is over. */
  end(graceMs: number): Promise<void>;
}

interface Start {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
}

/**
 * The program takes the place of this shell. Beside it stays one that reads a pipe whose other end is the kernel's:
 * when the kernel is gone, however it ended, or lets go, the whole group is killed.
 */
const SUPERVISE = `(
  trap '' TERM HUP INT
  exec <&3 3<&- >/dev/null 2>&1
  read -r _
  kill -KILL 0
) &
exec 3<&-
exec "$@"`;
/** What the shell answers where it finds no such program, or may not run it. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export function startProgram({ command, args, env }: Start): Program {
  const child = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', command, ...args], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const line = child.stdio[3] as Writable | null | undefined;
  child.once('error', error => resolve(`the program could not be started: ${error.message}`));
  child.once('exit', (code, signal) => {
    // What it has left behind ends too.
    line?.destroy();
    resolve(endSentence(command, code, signal));
  });
  // How it ended is told by its exit; a broken pipe adds nothing.
  for (const pipe of [child.stdin, child.stdout, child.stderr, line]) pipe?.on('error', () => {});
  return {
    pid: child.pid,
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    ended,
    async end(graceMs) {
      child.stdin?.end();
      const running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
      const wait = () => Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      if (running()) await wait();
      if (running()) {
        signalGroup(child.pid as number, 'SIGTERM');
        await wait();
      }
      if (running()) signalGroup(child.pid as number, 'SIGKILL');
      line?.destroy();
      await ended;
    },
  };
}

function endSentence(command: string, code: number | null, signal: string | null): string {
  if (code === NOT_FOUND) return `there is no program ${command}, or it ended with code ${NOT_FOUND}`;
  if (code === NOT_EXECUTABLE) return `${command} is no program that can be run`;
  return code === null ? `the program was ended by ${signal}` : `the program ended with code ${code}`;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!gone) throw error;
  }
}
