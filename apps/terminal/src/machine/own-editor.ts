/** The owner's editor, and the owner's shell: programs that take the terminal over for a while. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Lets the owner edit a text in $VISUAL or $EDITOR. @throws Error where the editor cannot be started or fails */
export async function edited(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'chat-kernel-'));
  try {
    const file = join(folder, 'message.md');
    await writeFile(file, text, { mode: 0o600 });
    // By a shell, for the variable may hold flags as well.
    const code = await ended('sh', ['-c', `${editor} "$1"`, 'sh', file]);
    if (code !== 0) throw new Error(`${editor} ended with ${code}: the text is as it was.`);
    return (await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ended(program: string, words: string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', code => resolve(code));
  });
}

/** Stops this program as Ctrl-Z stops any; resolves when the shell goes on with it. */
export async function stopped(): Promise<void> {
  process.kill(0, 'SIGTSTP');
  // A stopped process has no time: this wait ends behind the stop.
  await sleep(50);
}
