/** A command in a process group of its own, so that what it started ends with it. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { Output } from './output.ts';

/** As coreutils' `timeout` says it. */
const TIMED_OUT = 124;
/** Through one pipe, or the order of its two outputs would be a matter of chance. */
const IN_ONE = 'exec /bin/sh -c "$1" 2>&1';
/** A process that has left the group may hold the pipe open; what it prints is not waited for any longer. */
const LEFT_OPEN_MS = 250;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ShellOptions {
  cwd: string;
  /** Absent: as long as it takes. */
  timeout_secs: number | undefined;
  /** Most characters of its output that are kept, from its beginning and its end. */
  maxChars: number;
  /** Aborted: it is killed. */
  signal: AbortSignal;
  /** Told what was printed last, whenever there is more. */
  progress(output: string): void;
}

/**
 * Runs it to its end. What it left in the background is killed with it, but for what made itself a session of its own.
 * A signal is 128 and its number, as shells tell it; the timeout is 124. Rejects where it could not be started.
 */
export async function runShell(
  command: string,
  { cwd, timeout_secs, maxChars, signal, progress }: ShellOptions,
): Promise<{ output: string; exit_code: number }> {
  // Looked at first: a directory that is gone would look like a shell that is missing.
  await stat(cwd);
  if (signal.aborted) return { output: '', exit_code: numberOf('SIGKILL') };
  const child = spawn('/bin/sh', ['-c', IN_ONE, 'sh', command], {
    cwd,
    detached: true,
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = new Output(maxChars);
  child.stdout.on('data', (bytes: Buffer) => {
    output.push(bytes);
    progress(output.last);
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.on('error', reject);
  child.on('close', (code, killedBy) => resolve(code ?? numberOf(killedBy)));
  /** What is in the pipe by then is still read. */
  const giveUp = () =>
    setImmediate(() => {
      child.stdout.destroy();
      // One that cannot be killed, such as another user's, goes on alone.
      child.unref();
      if (child.exitCode === null && child.signalCode === null) resolve(numberOf('SIGKILL'));
    });
  const kill = () => {
    killGroup(child.pid);
    setTimeout(giveUp, LEFT_OPEN_MS).unref();
  };
  // What stays in the background would hold the pipe open.
  child.on('exit', kill);
  let late = false;
  const expire = () => {
    late = true;
    kill();
  };
  const timer = timeout_secs === undefined ? undefined : setTimeout(expire, milliseconds(timeout_secs));
  signal.addEventListener('abort', kill);
  try {
    const code = await ended;
    output.end();
    return { output: output.text, exit_code: late ? TIMED_OUT : code };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

/** What lets its owner through the proxy is nothing for commands, whose output the model reads. */
function environment(): NodeJS.ProcessEnv {
  const { CHAT_KERNEL_TOKEN: _, ...others } = process.env;
  return others;
}

const milliseconds = (seconds: number): number =>
  Math.min(Math.max(0, Number(seconds) * 1000), LONGEST_TIMER_MS);

const numberOf = (signal: NodeJS.Signals | null): number => 128 + (signal ? constants.signals[signal] : 0);

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone, or is another user's.
  }
}
