/** Runs `chat-kernel hands` as a real process and records its output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from './program.ts';
import { secretWatch } from './secrets.ts';

export interface HandsProcess {
  /** All output so far. */
  said(): string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the way in which it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** @param home the home folder, which holds the identity of the machine */
export function startHands(words: readonly string[], home: string): HandsProcess {
  const child = spawn(process.execPath, [PROGRAM, 'hands', ...words], {
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const refuseSecrets = secretWatch('what hands print');
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', text => {
      said += text;
      refuseSecrets(text);
    });
  }
  return {
    said: () => said,
    signal: signal => void child.kill(signal),
    ended: once(child, 'exit').then(([code, signal]) => ({ code, signal })),
  };
}
