/** Documents are read in a thread of their own, with bounds of time and memory. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ToolError } from '@chat-kernel/module-sdk';
import type { ThreadAnswer, ThreadTask } from './page-thread.ts';
import type { Readable } from './readable.ts';

const THREAD = new URL(`./page-thread${extname(import.meta.filename)}`, import.meta.url);
const MAX_MB = 256;
/** The system has memory for so many at once. */
const MOST = 2;

interface Limits {
  secs: number;
  signal: AbortSignal;
}

let running = 0;
const waiting: (() => void)[] = [];

/** @throws ToolError where the document breaks its reader or the bounds */
export async function readApart(task: ThreadTask, limits: Limits): Promise<Readable> {
  if (running < MOST) running++;
  else await new Promise<void>(resolve => waiting.push(resolve));
  try {
    limits.signal.throwIfAborted();
    return await inThread(task, limits);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function inThread(task: ThreadTask, { secs, signal }: Limits): Promise<Readable> {
  const thread = new Worker(THREAD, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MB },
    env: {},
    // The module may speak over its own.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  const fail = (what: string) => reject(new ToolError(`${task.url} ${what}.`));
  const late = setTimeout(
    () => fail(`takes more than ${secs} seconds to read: it may be made to`),
    secs * 1000,
  );
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  thread.on('message', (answer: ThreadAnswer) => {
    if ('readable' in answer) resolve(answer.readable);
    else fail(`could not be read: ${answer.problem}`);
  });
  thread.on('error', ({ code, message }: NodeJS.ErrnoException) =>
    fail(
      code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `takes more than ${MAX_MB} MB of memory to read`
        : `could not be read: ${message}`,
    ),
  );
  thread.on('exit', () => fail('could not be read: its reader ended'));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}
