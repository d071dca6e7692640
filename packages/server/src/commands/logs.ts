/** `chat-kernel logs`: the log of a kernel in the background. */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadOwnSettings } from '../settings/load.ts';
import type { Flags } from '../settings/overrides.ts';
import { olderOf } from '../start/bounded-log.ts';
import { mayColour, readableLine } from '../start/log-lines.ts';
import { logOf, runningKernel } from '../start/running-file.ts';
import { CommandError, explain } from '../start/start-failure.ts';

export interface LogsFlags extends Flags {
  follow?: boolean;
  lines: string;
}
const POLL_MS = 200;
const USAGE = 2;

/**
 * Prints the newest lines, for people on a terminal and as they are stored elsewhere; with --follow then those that come,
 * until it is interrupted. The exit code is 1 where there is no log.
 */
export async function logs({ follow = false, lines: wanted, ...flags }: LogsFlags): Promise<void> {
  if (!/^\d{1,9}$/.test(wanted)) {
    process.stderr.write(`chat-kernel logs: --lines is a number of lines, and not ${wanted}\n`);
    process.exitCode = USAGE;
    return;
  }
  // Whoever reads may leave, as `head` does.
  process.stdout.on('error', () => process.exit(0));
  try {
    const { settings } = await loadOwnSettings(flags);
    const { data_dir } = settings;
    const path = logOf(data_dir);
    if (runningKernel(data_dir)?.logs_here === false)
      process.stderr.write(
        'The kernel that runs logs where it was started; this is the log of those before it.\n',
      );
    if (!existsSync(path)) throw new CommandError(`There is no ${path}: no kernel ran in the background.`);
    const size = printNewest(path, Number(wanted));
    if (follow) await printNew(path, size);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** @returns the bytes of the file that were read */
function printNewest(path: string, count: number): number {
  const bytes = readFileSync(path);
  let lines = linesIn(bytes.toString());
  // It may just have moved to the older file.
  if (lines.length < count && existsSync(olderOf(path)))
    lines = [...linesIn(readFileSync(olderOf(path), 'utf8')), ...lines];
  if (count > 0) print(lines.slice(-count));
  return bytes.length;
}

/** Never resolves. A file that is smaller than before was emptied. */
async function printNew(path: string, from: number): Promise<never> {
  let position = from;
  let rest = '';
  let decoder = new StringDecoder('utf8');
  for (;;) {
    await sleep(POLL_MS);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < position) {
      position = 0;
      rest = '';
      decoder = new StringDecoder('utf8');
    }
    if (size === position) continue;
    const bytes = readFrom(path, position);
    position += bytes.length;
    const pieces = (rest + decoder.write(bytes)).split('\n');
    rest = pieces.pop() ?? '';
    print(pieces);
  }
}

function readFrom(path: string, position: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position));
  } finally {
    closeSync(file);
  }
}

const linesIn = (text: string): string[] => text.split('\n').filter(Boolean);

function print(lines: readonly string[]): void {
  const { isTTY } = process.stdout;
  const colour = mayColour(process.stdout);
  for (const line of lines) process.stdout.write(`${isTTY ? readableLine(line, { colour }) : line}\n`);
}
