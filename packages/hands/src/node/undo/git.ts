/**
 * Runs git on a shadow repository, which is independent of the user's repositories: it ignores their settings, hooks,
 * filters and variables.
 */
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** No background processes, no later packing, and everything reported as stored is on the disk. */
const CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsync=all',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.logAllRefUpdates=false',
  // Each edit is stored as a separate pack, which no clean-up removes before its ref exists.
  'fastimport.unpackLimit=1',
];

/** An unresponsive disk must not block the edit forever. */
const GIT_TIMEOUT_MS = 60_000;

/** @throws Error with git's message; ENOENT if git is not installed */
export function git(directory: string, args: readonly string[], input?: Uint8Array): Promise<Buffer> {
  const child = spawn('git', [...CONFIG.flatMap(each => ['-c', each]), ...args], {
    cwd: directory,
    env: environmentFor(directory),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: GIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  child.on('error', reject);
  // If git ends early, it reports why; the broken input adds nothing.
  child.stdin.on('error', () => {});
  child.on('close', code => {
    const message = Buffer.concat(stderr).toString('utf8').trim();
    if (code === 0) resolve(Buffer.concat(stdout));
    else reject(new Error(`git ${args[0]}: ${message || (code ?? 'it took too long')}`));
  });
  child.stdin.end(input);
  return promise;
}

/** Passes on only the path to programs: variables such as GIT_DIR would lead to the user's repository. */
const environmentFor = (directory: string): NodeJS.ProcessEnv => ({
  ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
  ...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
  GIT_DIR: directory,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  HOME: directory,
  XDG_CONFIG_HOME: directory,
  LC_ALL: 'C',
});
