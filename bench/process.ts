/** Starts, watches (through /proc) and stops the programs under measurement. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Program {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds since the previous call. Only for programs with the preloaded event-loop.ts. */
  longestBlock(): Promise<number>;
  stop(): Promise<void>;
}

/** Kernel ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/** Running programs, which an interrupted bench must stop. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts `node <file> ...words`, as `run` does. */
export const start = (file: string, ...words: string[]): Promise<Program> =>
  run(process.execPath, [file, ...words]);

/** Starts a program and waits for its line `... listening on <url>`. */
export async function run(program: string, words: readonly string[]): Promise<Program> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const complaints: string[] = [];
  child.stderr!.on('data', piece => {
    complaints.push(String(piece));
    if (complaints.length > 50) complaints.shift();
  });
  const url = await Promise.race([listening(child), once(child, 'exit').then(() => undefined)]);
  if (!url)
    throw new Error(`${[program, ...words].join(' ')} ended before it listened:\n${complaints.join('')}`);
  const longestBlock = async (): Promise<number> => {
    child.send('longest block');
    return (await once(child, 'message'))[0];
  };
  return { url, pid: child.pid!, longestBlock, stop: () => stop(child) };
}

/** Stops a process and waits for its exit. A process that a signal has ended has no exit code. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function listening(child: ChildProcess): Promise<string | undefined> {
  return new Promise(resolve => {
    const lines = createInterface({ input: child.stdout! });
    lines.on('line', line => {
      const url = /listening on (http:\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
    lines.on('close', () => resolve(undefined));
  });
}

/** The fields of /proc/PID/stat from the state (0) on: 1 is the parent, 11 to 14 are processor times. */
const statOf = (pid: number | string): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');

/** Processor time of the whole process so far, in milliseconds. */
export function processorMs(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) * MS_PER_TICK;
}

/** Processor time of a process and all its children so far, also of those that have ended, in milliseconds. */
export function familyMs(pid: number): number {
  const stat = statOf(pid);
  const ended = (Number(stat[13]) + Number(stat[14])) * MS_PER_TICK;
  const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && isChildOf(name, pid));
  return children.reduce((sum, child) => sum + processorMs(Number(child)), processorMs(pid) + ended);
}

export const parentOf = (pid: number): number => Number(statOf(pid)[1]);

function isChildOf(pid: string, parent: number): boolean {
  try {
    return Number(statOf(pid)[1]) === parent;
  } catch {
    return false; // It has ended meanwhile.
  }
}

/** Megabytes of resident memory, current or peak. */
export function residentMb(pid: number, which: 'now' | 'peak'): number {
  const line = which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/;
  return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
