/** Measures the memory of a process as Linux counts it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** True if a process does not report its memory and the environment does not require it. */
export const noMemory = !existsSync('/proc/self/clear_refs') && !process.env.REQUIRE_ALL;
if (noMemory) process.stderr.write('The tests of memory are skipped: they need the /proc of Linux.\n');

/** Current memory in bytes. Resets the peak. */
export function memoryFrom(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return read(pid, 'VmRSS');
}

/** Current memory in bytes. */
export const memoryNow = (pid: number): number => read(pid, 'VmRSS');

/** Peak memory in bytes since `memoryFrom`. */
export const peakMemory = (pid: number): number => read(pid, 'VmHWM');

/** Formats bytes as megabytes (10^6). */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

function read(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status tells no ${field}.`);
  return Number(kibibytes) * 1024;
}
