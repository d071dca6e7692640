/** A program of the owner that gets words on its standard input, and a limited time for each (PUSH-3). */
import { spawn } from 'node:child_process';
import type { PushResult } from '@chat-kernel/kernel';
import type { PushWord } from '@chat-kernel/protocol';
import { signalGroup } from '../processes/process-group.ts';

interface CommandRun {
  command: readonly string[];
  env: Record<string, string>;
  timeout_ms: number;
  signal: AbortSignal;
}

/**
 * Resolves when the program has ended, or was ended with all that it started; what it prints is nobody's. Rejects where
 * the command is none.
 */
export function runCommand(
  word: PushWord,
  { command: [program = '', ...args], env, timeout_ms, signal }: CommandRun,
): Promise<PushResult> {
  return new Promise(resolve => {
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const late = () => giveUp(`the program had not ended after ${timeout_ms / 1000} s`);
    const stop = () => giveUp('the kernel stops');
    const timer = setTimeout(late, timeout_ms);
    signal.addEventListener('abort', stop);
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      end(notStarted(code));
    });
    child.once('exit', (code, killer) => {
      if (code === 0) end(null);
      else end(code === null ? `the program was ended by ${killer}` : `the program ended with code ${code}`);
    });
    // A program that reads nothing is none of the kernel's business.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(word)}\n`);

    function giveUp(why: string): void {
      end(why);
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    }

    /** The first call counts. A program that ran may have done its work, so that it is not run again. */
    function end(detail: string | null): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ outcome: detail === null ? 'sent' : 'failed', detail, passing: false });
    }
  });
}

/** The message of the system would name the arguments. */
export const notStarted = (code: string | undefined): string => `the program could not be started: ${code}`;
