/** Commands behind bubblewrap: the machine read-only, the kernel's data hidden, the working directory writable. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the words that run `words` in a sandbox. Writable: `cwd` and a private /tmp. Hidden: other processes and
 * `forbidden` (real paths), save for the directories `readable` in it. The network is open.
 */
export async function sandboxed(
  words: readonly string[],
  cwd: string,
  forbidden: readonly string[],
  readable: readonly string[] = [],
): Promise<string[]> {
  const hidden = await Promise.all(
    forbidden.map(async path =>
      (await stat(path)).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
  );
  return [
    'bwrap',
    ...['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--bind', cwd, cwd],
    // Devices and processes are mounted behind the working directory, should that be the root.
    ...['--dev', '/dev', '--proc', '/proc'],
    // Hidden paths come last, for they may lie in the working directory.
    ...hidden.flat(),
    // The first upload makes this directory, so it may not exist yet.
    ...readable.flatMap(path => ['--ro-bind-try', path, path]),
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--chdir', cwd, '--'],
    ...words,
  ];
}

/** Returns the reason why commands cannot run in a sandbox here, as a sentence; null where they can. */
export async function sandboxProblem(forbidden: readonly string[]): Promise<string | null> {
  const [program, ...words] = await sandboxed(['true'], '/', forbidden);
  try {
    await promisify(execFile)(program!, words);
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return 'bubblewrap is not installed: no bwrap in PATH (Debian: apt-get install bubblewrap)';
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    return `bubblewrap cannot make a sandbox on this system: ${said}`;
  }
}
