/** Runs a program of the owner that gets each notification on its standard input, within a time limit (PUSH-3). */
import { spawn } from 'node:child_process';
import { signalGroup } from '@chat-kernel/hands/processes';
import type { PushNotification } from '@chat-kernel/protocol';
import type { PushResult } from '../sender.ts';

interface CommandRun {
  command: readonly string[];
  env: Record<string, string>;
  timeout_ms: number;
  signal: AbortSignal;
}

/**
 * Resolves when the program has ended, or was ended with all its child processes; its output is ignored. Rejects if the
 * command is not valid.
 */
export function runCommand(
  word: PushNotification,
  { command: [program = '', ...args], env, timeout_ms, signal }: CommandRun,
): Promise<PushResult> {
  return new Promise(resolve => {
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const late = () => giveUp(`the program did not end within ${timeout_ms / 1000} s`);
    const stop = () => giveUp('the kernel is stopping');
    const timer = setTimeout(late, timeout_ms);
    signal.addEventListener('abort', stop);
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      end(notStarted(code));
    });
    child.once('exit', (code, killer) => {
      if (code === 0) end(null);
      else
        end(
          code === null ? `the program was terminated by ${killer}` : `the program ended with code ${code}`,
        );
    });
    // A program may ignore its input; that is not an error.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(word)}\n`);

    function giveUp(why: string): void {
      end(why);
      signalGroup(child.pid, 'SIGKILL');
    }

    /** The first call counts. A program that has run may have done its work, so it is not retried. */
    function end(detail: string | null): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ outcome: detail === null ? 'sent' : 'failed', detail, passing: false });
    }
  });
}

/** The message of the system would contain the arguments. */
export const notStarted = (code: string | undefined): string => `the program could not be started: ${code}`;
