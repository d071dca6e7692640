/** A shell command on the machine of a client with hands, as a real process. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** As coreutils' `timeout` says it. */
const TIMED_OUT = 124;
/** Through one pipe, or their order would be a matter of chance. */
const IN_ONE = 'exec /bin/sh -c "$1" 2>&1';

export interface CommandOptions {
  cwd: string;
  /** Absent: as long as it takes. */
  timeout_secs: number | undefined;
  signal: AbortSignal;
  /** Told all that was printed so far, whenever there is more. */
  progress(output: string): void;
}

/**
 * Runs it to its end, stdout and stderr together as they come. What it left in the background is killed with it.
 * A signal is 128 and its number, as shells tell it; the timeout is 124. Rejects where it could not be started.
 */
export async function runCommand(
  command: string,
  { cwd, timeout_secs, signal, progress }: CommandOptions,
): Promise<{ output: string; exit_code: number }> {
  const child = spawn('/bin/sh', ['-c', IN_ONE, 'sh', command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    progress(output);
  });
  let late = false;
  const kill = () => killGroup(child.pid);
  const timer =
    timeout_secs === undefined
      ? undefined
      : setTimeout(() => {
          late = true;
          kill();
        }, timeout_secs * 1000);
  signal.addEventListener('abort', kill);
  // What stays in the background would hold the pipes open.
  child.on('exit', kill);
  // It may have been aborted before there was something to kill.
  if (signal.aborted) kill();
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, killedBy) => {
        const ended = code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy]);
        resolve({ output, exit_code: late ? TIMED_OUT : ended });
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
