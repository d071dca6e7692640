/** Runs the user's editor, and suspends this program to the shell. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Opens a text in $VISUAL or $EDITOR. @throws Error if the editor cannot be started or fails */
export async function edited(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'chat-kernel-'));
  try {
    const file = join(folder, 'message.md');
    await writeFile(file, text, { mode: 0o600 });
    // Use a shell, because the variable may contain flags.
    const code = await ended('sh', ['-c', `${editor} "$1"`, 'sh', file]);
    if (code !== 0) throw new Error(`${editor} exited with code ${code}. The text is unchanged.`);
    return (await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ended(program: string, args: string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', code => resolve(code));
  });
}

/** Suspends this program like Ctrl-Z. Resolves when the shell resumes it. */
export async function stopped(): Promise<void> {
  process.kill(0, 'SIGTSTP');
  // Timers do not run while the process is stopped, so this wait ends after it resumes.
  await sleep(50);
}
