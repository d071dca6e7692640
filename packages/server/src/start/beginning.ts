/** When a process began: its number alone may be that of another process by the time that somebody signals it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Field of /proc/PID/stat, counted behind the name: ticks from the machine's start to the process's. */
const STARTED = 19;

/** Returns a text that no other process of this number has; undefined where no process has it, or one that has ended. */
export function beginningOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses, and may have any characters.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, and only its parent has not noticed.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${bootOf()} ${fields[STARTED]}`;
  } catch {
    return undefined;
  }
}

function bootOf(): string {
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
