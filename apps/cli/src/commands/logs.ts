/** `chat-kernel logs`: prints the log of a kernel in the background. */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayColour, readableLine, rotatedPath } from '@chat-kernel/server/log';
import { type Flags, loadOwnSettings } from '@chat-kernel/settings';
import { logFilePath, runningKernel } from '@chat-kernel/settings/running-file';
import { CommandError } from '@chat-kernel/settings/start-failure';
import { usage } from './run.ts';

export interface LogsFlags extends Flags {
  follow?: boolean;
  lines: string;
}
const POLL_MS = 200;

/**
 * Prints the last lines, formatted on a terminal and otherwise as stored. With --follow, then prints new lines until
 * interrupted. The exit code is 1 without a log.
 */
export async function logs({ follow = false, lines: wanted, ...flags }: LogsFlags): Promise<void> {
  if (!/^\d{1,9}$/.test(wanted)) return usage('logs', `--lines must be a number, not ${wanted}.`);
  const closed = new AbortController();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe.
    if (error.code !== 'EPIPE') {
      process.stderr.write(`chat-kernel: The log could not be printed: ${error.message}\n`);
      process.exitCode = 1;
    }
    closed.abort();
  });
  const { settings } = await loadOwnSettings(flags);
  const { data_dir } = settings;
  const path = logFilePath(data_dir);
  if (runningKernel(data_dir)?.logs_here === false)
    process.stderr.write(
      'The running kernel logs to its terminal or service. This is the log of earlier kernels.\n',
    );
  if (!existsSync(path))
    throw new CommandError(`${path} does not exist, because no kernel has run in the background.`);
  const size = printNewest(path, Number(wanted));
  if (follow) await printNew(path, size, closed.signal);
}

/** @returns the number of bytes read */
function printNewest(path: string, count: number): number {
  const bytes = readFileSync(path);
  let lines = linesIn(bytes.toString());
  // The log may just have been rotated.
  if (lines.length < count && existsSync(rotatedPath(path)))
    lines = [...linesIn(readFileSync(rotatedPath(path), 'utf8')), ...lines];
  if (count > 0) print(lines.slice(-count));
  return bytes.length;
}

/** Ends only with the signal. A file that became smaller was truncated. */
async function printNew(path: string, from: number, signal: AbortSignal): Promise<void> {
  let position = from;
  let rest = '';
  let decoder = new StringDecoder('utf8');
  for (;;) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
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
