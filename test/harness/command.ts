/** The program as people call it on a command line, for one command that ends by itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { refuseSecrets } from './secrets.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/server/bin/chat-kernel.js', import.meta.url));

interface Ended {
  out: string;
  err: string;
  code: number | null;
}

/** Runs `chat-kernel <words...>` with `home` as the home folder and the present one. Throws where it tells a secret. */
export async function runCommand(words: readonly string[], home: string): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  refuseSecrets(out + err, `chat-kernel ${words[0]}`);
  return { out, err, code };
}
