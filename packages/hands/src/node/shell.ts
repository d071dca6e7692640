/**
 * Runs a command in a process group of its own, so that all processes it started end with it, and in a sandbox if there
 * is one (CONSENT-9).
 */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { SandboxExceptions, SandboxKind } from '@chat-kernel/client';
import { signalGroup } from '../processes/process-group.ts';
import { gitEnvironment } from '../shell/git-environment.ts';
import { Output } from './output.ts';

/** The exit code of coreutils' `timeout`. */
const TIMED_OUT = 124;
/** Both outputs share a pipe; otherwise their order would be random. */
const IN_ONE = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'];
/** The sandbox begins in the directory that can be written, which may be above that of the command. */
const IN_DIRECTORY = ['/bin/sh', '-c', 'cd -- "$1" && exec /bin/sh -c "$2"', 'sh'];
/** A process that left the group may hold the pipe open. Its output is not awaited longer than this. */
const LEFT_OPEN_MS = 250;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Encloses commands, so that they reach only a part of the machine. */
export interface CommandSandbox {
  kind(): Promise<SandboxKind>;
  /** @param root the real path of the only directory that the commands may write */
  enter(
    root: string,
    exceptions: SandboxExceptions,
  ): Promise<{
    /** Returns the command line that runs `words` enclosed. */
    around(words: readonly string[]): Promise<readonly string[]>;
    /**
     * Accepts the connection to descriptor 5 of the command, if it has one: a socket, but this type is also compiled
     * where Node's types are missing.
     */
    serve?(connection: object): void;
    /** Variables that the command needs. */
    env: Readonly<Record<string, string>>;
    /** Sentences about what did not work because of it, for the reader of the output. */
    notes(output: string, failed: boolean): string[];
    leave(): Promise<void>;
  }>;
}

interface ShellOptions {
  /** The real path of the directory of the command. */
  cwd: string;
  /** The real path of the directory that the command may write in the sandbox; `cwd` is in it. */
  root: string;
  /** Absent: no sandbox. */
  sandbox: CommandSandbox | undefined;
  exceptions: SandboxExceptions;
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined: no limit. */
  timeout_secs: number | undefined;
  /** Git starts no program that a repository names. */
  plainGit: boolean;
  /** Maximum of stored characters of the output, from its beginning and its end. */
  maxChars: number;
  /** An abort kills the command. */
  signal: AbortSignal;
  /** Called with the latest output whenever there is more. */
  progress(output: string): void;
}

/**
 * Runs the command to its end and kills its background processes, except those with their own session. The exit code
 * after a signal is 128 plus its number, as in shells; after the timeout it is 124. Rejects if the command did not
 * start.
 */
export async function runShell(
  command: string,
  { cwd, root, sandbox, exceptions, env, timeout_secs, plainGit, maxChars, signal, progress }: ShellOptions,
): Promise<{ output: string; exit_code: number }> {
  // Checked first: spawn reports a deleted directory as a missing shell.
  await stat(cwd);
  if (signal.aborted) return { output: '', exit_code: signalExitCode('SIGKILL') };
  const enclosure = await sandbox?.enter(root, exceptions);
  try {
    const words = [...IN_DIRECTORY, cwd, command];
    const ran = await run([...IN_ONE, ...((await enclosure?.around(words)) ?? words)], {
      cwd,
      env: { ...env, ...enclosure?.env, ...(plainGit && (await gitEnvironment(cwd, env))) },
      serve: enclosure?.serve,
      timeout_secs,
      maxChars,
      signal,
      progress,
    });
    const notes = enclosure?.notes(ran.output, ran.exit_code !== 0) ?? [];
    if (notes.length === 0) return ran;
    const gap = ran.output === '' || ran.output.endsWith('\n') ? '' : '\n';
    return { ...ran, output: `${ran.output}${gap}${notes.join('\n')}\n` };
  } finally {
    await enclosure?.leave();
  }
}

type RunOptions = Pick<ShellOptions, 'cwd' | 'env' | 'timeout_secs' | 'maxChars' | 'signal' | 'progress'> & {
  /** Receives the connection to descriptor 5 of the command; absent: it has none. */
  serve: ((connection: Socket) => void) | undefined;
};

async function run(
  [program, ...words]: string[],
  { cwd, env, serve, timeout_secs, maxChars, signal, progress }: RunOptions,
): Promise<{ output: string; exit_code: number }> {
  const child = spawn(program!, words, {
    cwd,
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'ignore', ...(serve ? (['ignore', 'ignore', 'pipe'] as const) : [])],
  });
  const connection = (child.stdio as readonly unknown[])[5] as Socket | undefined;
  if (connection) {
    connection.on('error', () => {});
    serve?.(connection);
  }
  const output = new Output(maxChars);
  child.stdout!.on('data', (bytes: Buffer) => {
    output.push(bytes);
    progress(output.last);
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.on('error', reject);
  child.on('close', (code, killedBy) => resolve(code ?? signalExitCode(killedBy)));
  /** Stops waiting for the pipe; content that already arrived is still read. */
  const giveUp = () =>
    setImmediate(() => {
      child.stdout!.destroy();
      // A process that cannot be killed, such as another user's, continues without the kernel.
      child.unref();
      if (child.exitCode === null && child.signalCode === null) resolve(signalExitCode('SIGKILL'));
    });
  const kill = () => {
    signalGroup(child.pid, 'SIGKILL');
    setTimeout(giveUp, LEFT_OPEN_MS).unref();
  };
  // Background processes would hold the pipe open.
  child.on('exit', kill);
  let late = false;
  const expire = () => {
    late = true;
    kill();
  };
  const timer = timeout_secs === undefined ? undefined : setTimeout(expire, milliseconds(timeout_secs));
  signal.addEventListener('abort', kill);
  try {
    const code = await ended;
    output.end();
    return { output: output.text, exit_code: late ? TIMED_OUT : code };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

const milliseconds = (seconds: number): number =>
  Math.min(Math.max(0, Number(seconds) * 1000), LONGEST_TIMER_MS);

const signalExitCode = (signal: NodeJS.Signals | null): number =>
  128 + (signal ? constants.signals[signal] : 0);
