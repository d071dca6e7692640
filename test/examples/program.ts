/** Starts programs of the examples as users do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const exampleAt = (path: string): string =>
  fileURLToPath(new URL(`../../examples/modules/${path}`, import.meta.url));

interface Program {
  child: ChildProcess;
  /** The output of the program so far, of both streams. */
  printed(): string;
  /** Sends SIGTERM and resolves with the exit. */
  stop(): Promise<unknown[]>;
}

/** Starts a program that ends with the test, whatever happens. */
export function startProgram(command: string, args: readonly string[], cwd: string): Program {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (printed += chunk));
  const stop = async () => {
    child.kill('SIGTERM');
    return exit;
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, printed: () => printed, stop };
}
