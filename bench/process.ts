/** Programs under measurement: started, watched through /proc, stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Program {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Kernel ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** Starts `node <file> ...words`, as `run` does. */
export const start = (file: string, ...words: string[]): Promise<Program> =>
  run(process.execPath, file, ...words);

/** Starts a program and waits for its line `... listening on <url>`. */
export async function run(program: string, ...words: string[]): Promise<Program> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', piece => {
    complaints.push(String(piece));
    if (complaints.length > 50) complaints.shift();
  });
  const url = await Promise.race([listening(child), once(child, 'exit').then(() => undefined)]);
  if (!url)
    throw new Error(`${[program, ...words].join(' ')} ended before it listened:\n${complaints.join('')}`);
  return {
    url,
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function listening(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url) {
      child.stdout!.resume();
      return url;
    }
  }
  return undefined;
}

/** Processor time of the whole process so far, in milliseconds. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Megabytes of memory that are resident now, or were at most. */
export function residentMb(pid: number, which: 'now' | 'peak'): number {
  const line = which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/;
  return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Lets the peak start again from what is resident now. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
