/** Start times of processes: a process number alone may be reused by another process. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Index of the start time in /proc/PID/stat, after the name: ticks since boot. */
const STARTED = 19;

/** Returns a text that is unique among processes with this number; undefined if none is running. */
export function getProcessStart(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const ticks = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return ticks === undefined ? undefined : `${readBootId()} ${ticks}`;
  } catch {
    return undefined;
  }
}

/** Returns the start time in /proc/PID/stat; undefined if the process has ended, but its parent has not reaped it. */
export function parseStat(stat: string): string | undefined {
  // The name is in parentheses and may contain any characters.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[STARTED];
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const words = ['-o', 'stat=,lstart=', '-p', String(pid)];
    return parsePs(
      execFileSync('ps', words, {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  } catch {
    return undefined;
  }
}

/** Does the same with the output of `ps -o stat=,lstart=`. */
export function parsePs(output: string): string | undefined {
  const [state = '', ...started] = output.trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}
