/** Runs the program of a guest: a process group that ends with the connection, and with the kernel. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from '@chat-kernel/hands/processes';

export interface Program {
  pid: number | undefined;
  input: Writable;
  output: Readable;
  errors: Readable;
  /** Resolves with a sentence about how the program ended, or why it could not be started. */
  ended: Promise<string>;
  /**
   * Ends the input, then sends SIGTERM and SIGKILL to the group, each after `graceMs`. Resolves when the program has
   * ended.
   */
  end(graceMs: number): Promise<void>;
}

interface GuestProgram {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  /** Working directory. */
  cwd: string;
}

/**
 * The script of a shell that becomes the program. A second shell next to it reads a pipe whose other end the kernel
 * holds: when the kernel closes the pipe, or has ended for any reason, that shell kills the whole group.
 */
const SUPERVISE = `(
  trap '' TERM HUP INT
  exec <&3 3<&- >/dev/null 2>&1
  read -r _
  kill -KILL 0
) &
exec 3<&-
exec "$@"`;
/** Exit codes of the shell: the program does not exist, or is not executable. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export function startProgram({ command, args, env, cwd }: GuestProgram): Program {
  const child = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', command, ...args], {
    env,
    cwd,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const line = child.stdio[3] as Writable | null | undefined;
  child.once('error', error => {
    // The system reports a missing directory as a missing shell.
    const why = existsSync(cwd) ? error.message : `there is no directory ${cwd}`;
    resolve(`the program could not be started: ${why}`);
  });
  child.once('exit', (code, signal) => {
    // Processes that the program left running end, too.
    line?.destroy();
    resolve(endSentence(command, code, signal));
  });
  // The exit explains how the program ended; a broken pipe adds nothing.
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
  if (code === NOT_FOUND) return `the program ${command} was not found, or ended with code ${NOT_FOUND}`;
  if (code === NOT_EXECUTABLE) return `${command} is not executable`;
  return code === null ? `the program was ended by ${signal}` : `the program ended with code ${code}`;
}
