/** The memory of a process, as Linux counts it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** True where a process tells nothing of its memory and nobody insists on it. */
export const noMemory = !existsSync('/proc/self/clear_refs') && !process.env.REQUIRE_ALL;
if (noMemory) process.stderr.write('The tests of memory are skipped: they need the /proc of Linux.\n');

/** Bytes in memory at this moment. The peak is counted from here. */
export function memoryFrom(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return read(pid, 'VmRSS');
}

/** Bytes in memory at this moment. */
export const memoryNow = (pid: number): number => read(pid, 'VmRSS');

/** The most bytes in memory since `memoryFrom`. */
export const peakMemory = (pid: number): number => read(pid, 'VmHWM');

/** Bytes as a number of megabytes (10^6) to print. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

function read(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status tells no ${field}.`);
  return Number(kibibytes) * 1024;
}
