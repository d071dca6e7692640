/** `chat-kernel hands` as a real process, with what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { secretWatch } from './secrets.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/server/bin/chat-kernel.js', import.meta.url));

export interface HandsProcess {
  /** All that it has said. */
  said(): string;
  signal(signal: NodeJS.Signals): void;
  /** How it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** @param home its home folder, which holds who it is */
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
