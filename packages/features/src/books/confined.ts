/**
 * Starts processes that can only compute: they read only their code, write nothing, have no network, no other programs
 * and no secrets, and their time is limited. Of the packages of the repository, their code can import only `text`.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { BookLimits } from './limits.ts';

export type ConfinedProcess = ChildProcessByStdio<Writable, Readable, null>;

/** The share of the memory for JavaScript values; the rest is for bytes. */
const HEAP = 0.75;

const PACKAGE = join(import.meta.dirname, '../..');
/** The code of this package and its dependencies, in whichever parent folder they are installed. */
const CODE = [
  PACKAGE,
  join(PACKAGE, '../text'),
  ...['node_modules', '../node_modules', '../../node_modules'].map(up => join(PACKAGE, up)),
];

/** Starts a program of this package. */
export function startConfined(
  program: string,
  parameters: readonly string[],
  { memory_bytes, total_secs }: Pick<BookLimits, 'memory_bytes' | 'total_secs'>,
): ConfinedProcess {
  const heap = Math.floor((memory_bytes * HEAP) / (1024 * 1024));
  const readable = CODE.map(directory => `--allow-fs-read=${directory}/`);
  const node = [process.execPath, '--permission', ...readable, `--max-old-space-size=${heap}`];
  // The shell only limits the processor time, because a parser in an endless loop handles no signal.
  const limited = ['-c', 'ulimit -t "$0"; exec "$@"', String(Math.ceil(total_secs)), ...node];
  const child = spawn('/bin/sh', [...limited, program, ...parameters], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
  // The caller notices a failure when input and output end.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  return child;
}

/** Returns the bytes of memory that the process holds; 0 if the system does not report them. */
export async function readMemoryUsage({ pid }: ConfinedProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
