/** Runs a command as a process: collects output and exit code, and guarantees that it ends. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from '../processes/process-group.ts';
import { startSupervised } from '../processes/supervised.ts';

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

/**
 * Sends both outputs in order to cat, through a real pipe: the kernel reads from a socket, which cannot be opened as
 * /dev/stderr. cat outlives SIGTERM, so that the last output arrives. Descriptor 4 receives the exit code.
 */
const IN_ORDER = `{ "$@" 4>&-; echo "$?" >&4; } </dev/null 2>&1 | { trap '' TERM; exec cat; } 4>&- 5>&-`;
/** The longest wait for output if a background process holds the pipe open. */
const LAST_WORDS_MS = 500;

/** Starts `words` in a new session. */
export function startCommand(
  words: readonly string[],
  { cwd, env, serve, onText }: CommandOptions,
): RunningCommand {
  const program = startSupervised(['/bin/sh', '-c', IN_ORDER, 'sh', ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe', ...(serve ? ['pipe' as const] : [])],
  });
  const { child } = program;
  const { promise: code, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  // A process that did not start may have no pipes; its error follows.
  if (child.pid === undefined) return { over: code, end() {} };

  const output = child.stdout as Readable;
  const [status, connection] = child.stdio.slice(4) as [Readable, Socket?];
  output.setEncoding('utf8').on('data', onText);
  if (connection) serve?.(connection);

  let ended = false;
  const settle = (value: number | null) => {
    ended = true;
    resolve(value);
  };
  status.setEncoding('utf8').once('data', (text: string) => settle(Number(text)));
  child.once('exit', () => {
    const settleWithout = () => {
      // If a command has killed its supervisor, the kernel ends it directly.
      if (!ended) signalGroup(child.pid, 'SIGKILL');
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
      program.end();
    },
  };
}
