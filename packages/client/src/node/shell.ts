/** Runs a command in a process group of its own, so that the processes which it started end with it. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { Output } from './output.ts';

/** The exit code of coreutils' `timeout`. */
const TIMED_OUT = 124;
/** Both outputs share a pipe, or their order would be a matter of chance. */
const IN_ONE = 'exec /bin/sh -c "$1" 2>&1';
/** A process that has left the group may hold the pipe open: its output is waited for no longer. */
const LEFT_OPEN_MS = 250;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface ShellOptions {
  cwd: string;
  /** Undefined: without a limit. */
  timeout_secs: number | undefined;
  /** Most characters of the output that are kept, from its beginning and its end. */
  maxChars: number;
  /** Aborted: the command is killed. */
  signal: AbortSignal;
  /** Called with the last output, whenever there is more. */
  progress(output: string): void;
}

/**
 * Runs the command to its end, and kills what it left in the background but for a process with a session of its own.
 * The exit code of a signal is 128 and its number, as with shells; of the timeout 124. Rejects where it did not start.
 */
export async function runShell(
  command: string,
  { cwd, timeout_secs, maxChars, signal, progress }: ShellOptions,
): Promise<{ output: string; exit_code: number }> {
  // Checked first: spawn reports a directory that is gone as a shell that is missing.
  await stat(cwd);
  if (signal.aborted) return { output: '', exit_code: numberOf('SIGKILL') };
  const child = spawn('/bin/sh', ['-c', IN_ONE, 'sh', command], {
    cwd,
    detached: true,
    env: childEnvironment(),
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
  /** Stops waiting for the pipe; its content so far is still read. */
  const giveUp = () =>
    setImmediate(() => {
      child.stdout.destroy();
      // A process that cannot be killed, such as another user's, goes on alone.
      child.unref();
      if (child.exitCode === null && child.signalCode === null) resolve(numberOf('SIGKILL'));
    });
  const kill = () => {
    killGroup(child.pid);
    setTimeout(giveUp, LEFT_OPEN_MS).unref();
  };
  // Processes in the background would hold the pipe open.
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

/** The token of the proxy is not for commands, whose output the model reads. */
function childEnvironment(): NodeJS.ProcessEnv {
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
    // The group is gone, or another user's.
  }
}
