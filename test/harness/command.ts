/** Runs the program as users do on a command line, for a single command that ends without a signal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PROGRAM } from './program.ts';
import { refuseSecrets } from './secrets.ts';

interface Ended {
  out: string;
  err: string;
  code: number | null;
}

/**
 * Runs `chat-kernel <words...>` with `home` as the home folder and the working directory. Throws if the output contains
 * a secret.
 */
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
