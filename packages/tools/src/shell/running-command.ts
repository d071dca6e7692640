/** One command as a process: what it prints, how it ended, and its certain end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface RunningCommand {
  /** Its exit code; null where it was ended, or ended without one. Rejects where it could not be started. */
  over: Promise<number | null>;
  /** Ends it and all it started: SIGTERM, and SIGKILL after 2 s. What it left in the background counts too. */
  end(): void;
}

interface Surroundings {
  cwd: string;
  env: Record<string, string>;
  /** Whole characters of stdout and stderr, in the order in which they came. */
  onText(text: string): void;
}

const SUPERVISE = fileURLToPath(new URL('supervise.sh', import.meta.url));
/** What was left in the background may keep the output open; nobody waits longer for it than this. */
const LAST_WORDS_MS = 500;
/** The supervisor has had its 2 seconds by then. */
const FORCE_MS = 4000;

/**
 * Starts `words` in a session of its own. It never outlives the kernel, however that ends: the supervisor
 * watches a pipe whose other end is the kernel's.
 */
export function startCommand(words: readonly string[], { cwd, env, onText }: Surroundings): RunningCommand {
  const child = spawn('/bin/sh', [SUPERVISE, ...words], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
  });
  const { promise: code, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  // It was not even started: the error follows, and there may be no pipes.
  if (child.pid === undefined) return { over: code, end() {} };

  const [, output, , line, status] = child.stdio as unknown as [null, Readable, null, Readable, Readable];
  // How the command ended is told by its code or its exit; a broken pipe adds nothing.
  for (const pipe of [output, line, status]) pipe.on('error', () => {});
  output.setEncoding('utf8').on('data', onText);

  let ended = false;
  const settle = (value: number | null) => {
    ended = true;
    resolve(value);
  };
  status.setEncoding('utf8').once('data', (text: string) => settle(Number(text)));
  child.once('exit', () => {
    // The code may still be on its way.
    setTimeout(() => {
      // The command has killed its supervisor: nobody else is left to end it.
      if (!ended) killGroup(child.pid);
      settle(null);
    }, LAST_WORDS_MS);
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
        // The watcher of the supervisor is gone: it would have ended this.
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
