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
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any characters.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, but its parent has not reaped it.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readBootId()} ${fields[STARTED]}`;
  } catch {
    return undefined;
  }
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
    const [state = '', ...started] = execFileSync('ps', words, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
