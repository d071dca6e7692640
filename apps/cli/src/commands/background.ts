/** Starts a kernel in the background, which continues when the program that started it ends. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flags } from '@chat-kernel/settings';
import { logFilePath, type RunningKernel, runningKernel } from '@chat-kernel/settings/running-file';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { PROGRAM } from './program.ts';

/** Limit for the kernel to start. */
const START_MS = 60_000;
const POLL_MS = 50;
/** Wait for another kernel that may use the address. */
const OTHER_MS = 1500;
/** Wait for another kernel that uses the data and may still be starting. */
const STARTING_MS = 10_000;
/** Limit for one answer: the readiness check writes to the database. */
const ANSWER_MS = 5000;
/** Limit of log text in an error, in bytes. */
const LAST_WORDS = 2000;

/** A kernel that takes requests. */
type AnsweringKernel = RunningKernel & { url: string };

/**
 * Starts a kernel in its own session, with its log in `<data_dir>/kernel.log`. If a kernel already uses the data, waits for
 * that one.
 * @returns the kernel, once it takes requests
 * @throws CommandError with the end of the log if the kernel does not start
 */
export async function startInBackground(flags: Flags, data_dir: string): Promise<AnsweringKernel> {
  if (runningKernel(data_dir) !== undefined) {
    const running = await answering(data_dir, () => runningKernel(data_dir) === undefined);
    if (running) return running;
    const still = runningKernel(data_dir);
    if (still)
      throw new CommandError(`The running kernel (process ${still.pid}) does not answer. Stop it first.`);
  }
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const path = logFilePath(data_dir);
  const log = openSync(path, 'a', 0o600);
  const { size: before } = fstatSync(log);
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, 'serve', ...buildArguments(flags)], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failure: string | undefined;
  let end = Number.POSITIVE_INFINITY;
  // If another program started a kernel at the same time, use that one.
  const waitForOther = () => {
    const hasData = lastWords(path, before).includes('Another kernel uses this data directory');
    end = Math.min(end, Date.now() + (hasData ? STARTING_MS : OTHER_MS));
  };
  child.once('error', error => {
    failure = error.message;
    waitForOther();
  });
  child.once('exit', waitForOther);
  const kernel = await answering(data_dir, () => Date.now() > end);
  if (kernel) return kernel;
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  if (hasEnded) failure ??= lastWords(path, before);
  if (failure !== undefined) throw new CommandError(`The kernel did not start: ${failure}`);
  throw new CommandError(`The kernel does not answer. See its log: ${path}.`);
}

/** Waits for the kernel of these data to answer. Returns undefined on timeout or if `isOver` returns true. */
async function answering(data_dir: string, isOver: () => boolean): Promise<AnsweringKernel | undefined> {
  for (const end = Date.now() + START_MS; Date.now() < end && !isOver(); await sleep(POLL_MS)) {
    const kernel = runningKernel(data_dir);
    if (kernel?.url != null && (await answers(kernel.url))) return { ...kernel, url: kernel.url };
  }
  return undefined;
}

/** Returns the end of the log text after the first `from` bytes. */
function lastWords(path: string, from: number): string {
  const log = openSync(path, 'r');
  try {
    const { size } = fstatSync(log);
    const begin = Math.max(from, size - LAST_WORDS);
    const bytes = Buffer.alloc(Math.max(0, size - begin));
    const read = readSync(log, bytes, 0, bytes.length, begin);
    return bytes.toString('utf8', 0, read).trim();
  } finally {
    closeSync(log);
  }
}

function buildArguments({ config, host, port, data, set = [] }: Flags): string[] {
  const named = Object.entries({ config, host, port, data });
  return [
    ...named.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...set.flatMap(each => ['--set', each]),
  ];
}

/** Whether a kernel accepts requests there. */
export const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    answer => answer.ok,
    () => false,
  );
