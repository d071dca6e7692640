/** A kernel in the background, which goes on when the program that started it ends. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flags } from '../settings/overrides.ts';
import { logOf, type RunningKernel, runningKernel } from '../start/running-file.ts';
import { CommandError } from '../start/start-failure.ts';
import { PROGRAM } from './program.ts';

/** Longest wait for the kernel. */
const START_MS = 60_000;
const POLL_MS = 50;
/** Wait for another kernel that may have the address. */
const OTHER_MS = 1500;
/** Wait for another kernel that has the data, and may still be starting. */
const STARTING_MS = 10_000;
/** Longest wait for one answer: to say that it is ready, a kernel writes to its database. */
const ANSWER_MS = 5000;
/** Bytes of the log that an error quotes. */
const LAST_WORDS = 2000;

/** A kernel that takes requests. */
type AnsweringKernel = RunningKernel & { url: string };

/**
 * Starts a kernel, in a session of its own, whose log goes to `<data_dir>/kernel.log`; waits for the one that runs on
 * these data, where one does.
 * @returns the kernel, once it takes requests
 * @throws CommandError with the end of the log where the kernel does not start
 */
export async function startInBackground(flags: Flags, data_dir: string): Promise<AnsweringKernel> {
  if (runningKernel(data_dir) !== undefined) {
    const there = await answering(data_dir, () => runningKernel(data_dir) === undefined);
    if (there) return there;
    const still = runningKernel(data_dir);
    if (still)
      throw new CommandError(`The kernel that runs (process ${still.pid}) does not answer: stop it first.`);
  }
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const path = logOf(data_dir);
  const log = openSync(path, 'a', 0o600);
  const { size: before } = fstatSync(log);
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, 'serve', ...argumentsOf(flags)], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failure: string | undefined;
  let end = Number.POSITIVE_INFINITY;
  // The child may have ended because another program starts a kernel at this very moment: that one will do.
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
  throw new CommandError(`The kernel does not answer; its log is ${path}.`);
}

/** Waits for the kernel of these data to answer; undefined where that takes too long, or `isOver` says so. */
async function answering(data_dir: string, isOver: () => boolean): Promise<AnsweringKernel | undefined> {
  for (const end = Date.now() + START_MS; Date.now() < end && !isOver(); await sleep(POLL_MS)) {
    const kernel = runningKernel(data_dir);
    if (kernel?.url != null && (await answers(kernel.url))) return { ...kernel, url: kernel.url };
  }
  return undefined;
}

/** Returns the end of what was written to the log since it had `from` bytes. */
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

function argumentsOf({ config, host, port, data, set = [] }: Flags): string[] {
  const named = Object.entries({ config, host, port, data });
  return [
    ...named.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...set.flatMap(each => ['--set', each]),
  ];
}

/** Whether a kernel there takes requests. */
export const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    answer => answer.ok,
    () => false,
  );
