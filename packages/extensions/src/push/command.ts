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

/** Resolves when the program has ended, or was ended; what it prints is nobody's. Never rejects. */
export function runCommand(
  word: PushWord,
  { command: [program = '', ...args], env, timeout_ms, signal }: CommandRun,
): Promise<PushResult> {
  const { promise, resolve } = Promise.withResolvers<PushResult>();
  // A program that ran may have done its work: it is not run again.
  const failed = (detail: string) => resolve({ outcome: 'failed', detail, passing: false });
  if (signal.aborted) failed('the kernel stops');
  else {
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const end = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
    const timer = setTimeout(() => {
      failed(`the program had not ended after ${timeout_ms / 1000} s`);
      end();
    }, timeout_ms);
    const stop = () => {
      failed('the kernel stops');
      end();
    };
    signal.addEventListener('abort', stop);
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      over();
      failed(`the program could not be started: ${code}`);
    });
    child.once('exit', (code, killer) => {
      over();
      if (code === 0) resolve({ outcome: 'sent', detail: null, passing: false });
      else
        failed(code === null ? `the program was ended by ${killer}` : `the program ended with code ${code}`);
    });
    // A program that reads nothing is none of the kernel's business.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(word)}\n`);
  }
  return promise;
}
