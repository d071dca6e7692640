/** A command in a process group of its own, so that all it started ends with it. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { Output } from './output.ts';

/** As coreutils' `timeout` says it. */
const TIMED_OUT = 124;
/** Through one pipe, or the order of its two outputs would be a matter of chance. */
const IN_ONE = 'exec /bin/sh -c "$1" 2>&1';

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
 * Runs it to its end. What it left in the background is killed with it. A signal is 128 and its number, as shells tell
 * it; the timeout is 124. Rejects where it could not be started.
 */
export async function runShell(
  command: string,
  { cwd, timeout_secs, maxChars, signal, progress }: ShellOptions,
): Promise<{ output: string; exit_code: number }> {
  // Looked at first: a directory that is gone would look like a shell that is missing.
  await stat(cwd);
  const child = spawn('/bin/sh', ['-c', IN_ONE, 'sh', command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = new Output(maxChars);
  child.stdout.on('data', (bytes: Buffer) => {
    output.push(bytes);
    progress(output.last);
  });
  let late = false;
  const kill = () => killGroup(child.pid);
  const expire = () => {
    late = true;
    kill();
  };
  const timer = timeout_secs === undefined ? undefined : setTimeout(expire, timeout_secs * 1000);
  signal.addEventListener('abort', kill);
  // What stays in the background would hold the pipe open.
  child.on('exit', kill);
  // It may have been aborted before there was something to kill.
  if (signal.aborted) kill();
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, killedBy) => {
        output.end();
        const ended = code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy]);
        resolve({ output: output.text, exit_code: late ? TIMED_OUT : ended });
      });
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!gone) throw error;
  }
}
