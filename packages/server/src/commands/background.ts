/** A kernel that goes on when the program that started it ends. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flags } from '../settings/overrides.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/chat-kernel.js');
const PATIENCE_MS = 20_000;
const POLL_MS = 50;
const LAST_WORDS = 2000;

/**
 * Its log goes to `<data_dir>/kernel.log`.
 * @returns its address, once it takes requests
 * @throws Error with its last words where it does not start
 */
export async function startInBackground(url: string, flags: Flags, data_dir: string): Promise<string> {
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const path = join(data_dir, 'kernel.log');
  const log = openSync(path, 'a', 0o600);
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...wordsOf(flags)], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let failure: string | undefined;
  child.once('error', error => {
    failure = error.message;
  });
  child.once('exit', () => {
    failure ??= readFileSync(path, 'utf8').slice(-LAST_WORDS).trim();
  });
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (failure !== undefined) throw new Error(`The kernel did not start: ${failure}`);
    if (await isReady(url)) return url;
  }
  throw new Error(`The kernel does not answer; its log is ${path}.`);
}

function wordsOf({ config, host, port, data, set = [] }: Flags): string[] {
  const named = Object.entries({ config, host, port, data });
  return [
    ...named.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...set.flatMap(each => ['--set', each]),
  ];
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
    answer => answer.ok,
    () => false,
  );
