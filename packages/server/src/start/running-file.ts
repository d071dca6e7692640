/**
 * Which process runs the kernel of a data directory, for the commands that look for it. The directory's lock says whether
 * there is one, and this file who: a kernel that was killed leaves it behind, and nobody takes it for a running one.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { beginningOf } from './beginning.ts';

const RunningKernel = z.object({
  pid: z.int().positive(),
  /** As `beginningOf` has it. */
  beginning: z.string(),
  version: z.string(),
  since: z.iso.datetime(),
  /** Whether its log goes to the file that `logOf` names. */
  logs_here: z.boolean(),
  /** Null until it takes requests, as is what follows. */
  url: z.string().nullable(),
  /** The model of turns that name none. */
  model: z.string().nullable(),
  /** Whether that is the built-in demo model. */
  demo: z.boolean(),
});
export type RunningKernel = z.infer<typeof RunningKernel>;

const fileOf = (data_dir: string): string => join(data_dir, 'chat-kernel.running.json');
/** The log of a kernel in the background. */
export const logOf = (data_dir: string): string => join(data_dir, 'kernel.log');

/** Writes down that this process runs the kernel of the directory. */
export function writeRunning(
  data_dir: string,
  facts: Omit<RunningKernel, 'pid' | 'beginning' | 'since'>,
): void {
  const { pid } = process;
  const since = new Date(Date.now() - process.uptime() * 1000).toISOString();
  const running: RunningKernel = { pid, beginning: beginningOf(pid) ?? '', since, ...facts };
  const file = fileOf(data_dir);
  // A reader finds the old text or the new one, also where the process is killed between.
  writeFileSync(`${file}.new`, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** To be called while the directory's lock is held: without it another kernel may have written the file. */
export const removeRunning = (data_dir: string): void => rmSync(fileOf(data_dir), { force: true });

/** Returns the kernel that runs on the directory; undefined where none does that is known to run. */
export function runningKernel(data_dir: string): RunningKernel | undefined {
  let text: string;
  try {
    text = readFileSync(fileOf(data_dir), 'utf8');
  } catch {
    return undefined;
  }
  const running = RunningKernel.safeParse(parsed(text)).data;
  return running !== undefined && isSame(running) ? running : undefined;
}

/** Whether the process is still there, and no other has its number. */
export const isSame = ({ pid, beginning }: RunningKernel): boolean => beginningOf(pid) === beginning;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
