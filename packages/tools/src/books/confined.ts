/**
 * Programs that may do nothing but think: no reading but of their own code, no writing, no network, no other programs,
 * no secrets, and no time without end.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { BookLimits } from './limits.ts';

export type Confined = ChildProcessByStdio<Writable, Readable, null>;

/** Of the memory, what JavaScript's own values may take; the rest is for bytes. */
const HEAP = 0.75;

const PACKAGE = join(import.meta.dirname, '../..');
/** This package, and what it depends on, wherever that was installed on the way up. */
const CODE = [
  PACKAGE,
  ...['node_modules', '../node_modules', '../../node_modules'].map(up => join(PACKAGE, up)),
];

/** Starts a program of this package. */
export function startConfined(
  program: string,
  parameters: readonly string[],
  { memory_bytes, total_secs }: Pick<BookLimits, 'memory_bytes' | 'total_secs'>,
): Confined {
  const heap = Math.floor((memory_bytes * HEAP) / (1024 * 1024));
  const readable = CODE.map(directory => `--allow-fs-read=${directory}/`);
  const node = [process.execPath, '--permission', ...readable, `--max-old-space-size=${heap}`];
  // The shell only sets the limit of processor time: a parser that runs in circles hears nobody.
  const limited = ['-c', 'ulimit -t "$0"; exec "$@"', String(Math.ceil(total_secs)), ...node];
  const child = spawn('/bin/sh', [...limited, program, ...parameters], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
  // Whoever waits for it hears of it in another way: what it takes and gives has ended.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  return child;
}

/** Of what it holds, in bytes; 0 where the system does not tell. */
export async function memoryOf({ pid }: Confined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
