/**
 * Stores which process runs the kernel of a data directory, for other commands. The directory's lock shows whether one is
 * running. A killed kernel leaves this file, which is then ignored.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { getProcessStart } from './process-start.ts';

const RunningKernel = z.object({
  pid: z.int().positive(),
  /** Value of `beginningOf`. */
  beginning: z.string(),
  version: z.string(),
  since: z.iso.datetime(),
  /** Whether it logs to the file of `logOf`. */
  logs_here: z.boolean(),
  /** Null until it accepts requests, like the fields below. */
  url: z.string().nullable(),
  /** Default model. */
  model: z.string().nullable(),
  /** Whether the default is the built-in demo model. */
  demo: z.boolean(),
  /** A sentence for each unusable provider. Absent from older kernels. */
  problems: z.array(z.string()).default([]),
});
export type RunningKernel = z.infer<typeof RunningKernel>;

const runningFilePath = (data_dir: string): string => join(data_dir, 'chat-kernel.running.json');
/** Log file of a kernel in the background. */
export const logFilePath = (data_dir: string): string => join(data_dir, 'kernel.log');

/** Records that this process runs the kernel of the directory. */
export function writeRunning(
  data_dir: string,
  facts: Omit<RunningKernel, 'pid' | 'beginning' | 'since'>,
): void {
  const { pid } = process;
  const since = new Date(Date.now() - process.uptime() * 1000).toISOString();
  const running: RunningKernel = { pid, beginning: getProcessStart(pid) ?? '', since, ...facts };
  const file = runningFilePath(data_dir);
  // Replace atomically, so that readers see either the old or the new text.
  writeFileSync(`${file}.new`, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Call only while holding the lock of the directory, or the file may belong to another kernel. */
export const removeRunning = (data_dir: string): void => rmSync(runningFilePath(data_dir), { force: true });

/** Returns the running kernel of the directory, or undefined. */
export function runningKernel(data_dir: string): RunningKernel | undefined {
  let text: string;
  try {
    text = readFileSync(runningFilePath(data_dir), 'utf8');
  } catch {
    return undefined;
  }
  const running = RunningKernel.safeParse(parsed(text)).data;
  return running !== undefined && isSame(running) ? running : undefined;
}

/** Whether the same process is still running. */
export const isSame = ({ pid, beginning }: RunningKernel): boolean => getProcessStart(pid) === beginning;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
