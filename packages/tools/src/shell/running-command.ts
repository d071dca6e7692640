/** A command as a process: its output, its exit code, and its certain end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface RunningCommand {
  /** Resolves with the exit code; null where it was ended, or ended without one. Rejects where it could not be started. */
  over: Promise<number | null>;
  /** Ends the command and all it started, also in the background: SIGTERM, and SIGKILL after 2 s. */
  end(): void;
}

interface CommandOptions {
  cwd: string;
  env: Record<string, string>;
  /** Receives whole characters of stdout and stderr, in the order in which they came. */
  onText(text: string): void;
}

const SUPERVISE = fileURLToPath(new URL('supervise-command.sh', import.meta.url));
/** The longest wait for output that a background process keeps open. */
const LAST_WORDS_MS = 500;
/** The time after which a supervisor that still runs is killed; its own 2 seconds are over by then. */
const FORCE_MS = 4000;

/**
 * Starts `words` in a new session. The command never outlives the kernel, however that ends: the supervisor
 * watches a pipe whose other end is the kernel's.
 */
export function startCommand(words: readonly string[], { cwd, env, onText }: CommandOptions): RunningCommand {
  const child = spawn('/bin/sh', [SUPERVISE, ...words], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
  });
  const { promise: code, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  // A process that was not even started may have no pipes; its error follows.
  if (child.pid === undefined) return { over: code, end() {} };

  const [, output, , line, status] = child.stdio as unknown as [null, Readable, null, Readable, Readable];
  // The exit code, or the exit itself, says how the command ended; a broken pipe adds nothing.
  for (const pipe of [output, line, status]) pipe.on('error', () => {});
  output.setEncoding('utf8').on('data', onText);

  let ended = false;
  const settle = (value: number | null) => {
    ended = true;
    resolve(value);
  };
  status.setEncoding('utf8').once('data', (text: string) => settle(Number(text)));
  child.once('exit', () => {
    const settleWithout = () => {
      // A command that has killed its supervisor has to be ended by the kernel itself.
      if (!ended) killGroup(child.pid);
      settle(null);
    };
    // The exit code may still be on its way. After a stall of the process the time is over before anything was read, so
    // the pipes come first once more.
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
        // A supervisor that runs after its time has lost its watcher.
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
