/** Runs a command as a process: collects output and exit code, and guarantees that it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface RunningCommand {
  /** Resolves with the exit code; null if it was ended, or ended without one. Rejects if it could not be started. */
  over: Promise<number | null>;
  /** Ends the command and all processes it started, also in the background: SIGTERM, then SIGKILL after 2 s. */
  end(): void;
}

interface CommandOptions {
  cwd: string;
  env: Record<string, string>;
  /** Receives the connection to descriptor 5 of the command; absent: the command has none. */
  serve?: ((connection: Socket) => void) | undefined;
  /** Receives complete characters of stdout and stderr, in the order of their arrival. */
  onText(text: string): void;
}

const SUPERVISE = fileURLToPath(new URL('supervise-command.sh', import.meta.url));
/** The longest wait for output if a background process holds the pipe open. */
const LAST_WORDS_MS = 500;
/** Time after which a supervisor that still runs is killed; its own 2 seconds are over by then. */
const FORCE_MS = 4000;

/**
 * Starts `words` in a new session. The command never outlives the kernel, even after a crash: the supervisor watches a
 * pipe whose other end is the kernel's.
 */
export function startCommand(
  words: readonly string[],
  { cwd, env, serve, onText }: CommandOptions,
): RunningCommand {
  const child = spawn('/bin/sh', [SUPERVISE, ...words], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe', ...(serve ? ['pipe' as const] : [])],
  });
  const { promise: code, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  // A process that did not start may have no pipes; its error follows.
  if (child.pid === undefined) return { over: code, end() {} };

  const [, output, , line, status, connection] = child.stdio as unknown as [
    null,
    Readable,
    null,
    Readable,
    Readable,
    Socket?,
  ];
  // The exit code or the exit itself reports how the command ended; a broken pipe adds nothing.
  for (const pipe of [output, line, status]) pipe.on('error', () => {});
  output.setEncoding('utf8').on('data', onText);
  if (connection) {
    connection.on('error', () => {});
    serve?.(connection);
  }

  let ended = false;
  const settle = (value: number | null) => {
    ended = true;
    resolve(value);
  };
  status.setEncoding('utf8').once('data', (text: string) => settle(Number(text)));
  child.once('exit', () => {
    const settleWithout = () => {
      // If a command has killed its supervisor, the kernel ends it directly.
      if (!ended) killGroup(child.pid);
      settle(null);
    };
    // The exit code may still arrive. After a stall of this process the timer may fire before anything was read, so the
    // pipes get one more chance.
    setTimeout(() => setImmediate(settleWithout), LAST_WORDS_MS);
  });

  return {
    over: code.then(async value => {
      if (!output.readableEnded) {
        await Promise.race([once(output, 'close'), sleep(LAST_WORDS_MS)]);
      }
      return value;
    }),
    end() {
      ended = true;
      line.destroy();
      const force = () => {
        // A supervisor that runs longer than expected no longer has its watcher.
        if (child.exitCode === null && child.signalCode === null) killGroup(child.pid);
      };
      setTimeout(force, FORCE_MS).unref();
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const empty = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!empty) throw error;
  }
}
