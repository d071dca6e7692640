/** Runs the parser in a separate process with limits for time and memory. The process may only compute. */
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { abortable, Semaphore } from '@chat-kernel/base';
import { ToolError } from '@chat-kernel/module-sdk';
import type { ReadingAnswer, ReadingTask } from './page-process.ts';
import type { Readable } from './readable.ts';

const PROGRAM = fileURLToPath(new URL(`./page-process${extname(import.meta.filename)}`, import.meta.url));
const MAX_MB = 256;
/** Limits memory use. */
const MAX_CONCURRENT_READS = 2;
/** No writing, no network, no other programs; it can only read its own code. */
const NODE = ['--permission', '--allow-fs-read=*', `--max-old-space-size=${MAX_MB}`];

interface Limits {
  secs: number;
  signal: AbortSignal;
}

const reads = new Semaphore(MAX_CONCURRENT_READS);

/** @throws ToolError if the parser fails or exceeds a limit */
export const readApart = (task: ReadingTask, limits: Limits): Promise<Readable> =>
  reads.run(() => inProcess(task, limits), limits.signal);

async function inProcess(task: ReadingTask, { secs, signal }: Limits): Promise<Readable> {
  // The shell only sets the CPU time limit, in case the module is killed.
  const limited = ['-c', 'ulimit -t "$0"; exec "$@"', String(Math.ceil(secs) * 2), process.execPath, ...NODE];
  const child = spawn('/bin/sh', [...limited, PROGRAM], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  const fail = (what: string) => reject(new ToolError(`${task.url} ${what}.`));
  const tooLong = () => fail(`takes more than ${secs} seconds to read; it may be hostile`);
  const late = setTimeout(tooLong, secs * 1000);
  child.on('message', (answer: ReadingAnswer) => {
    if ('readable' in answer) resolve(answer.readable);
    else fail(`could not be read: ${answer.problem}`);
  });
  child.on('error', ({ message }) => fail(`could not be read: ${message}`));
  child.on('exit', () => fail(`could not be read; it may need more than ${MAX_MB} MB of memory`));
  child.send(task, () => {});
  try {
    return await abortable(promise, signal);
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
}
