/**
 * Runs git on a shadow repository, which has nothing to do with any repository of the owner: none of his settings, hooks,
 * filters and variables counts.
 */
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** Nothing runs beside a command, nothing is packed later, and what was reported is on the disk. */
const CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsync=all',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.logAllRefUpdates=false',
  // Each edit arrives as a pack of its own, which no clean-up takes away before its ref is there.
  'fastimport.unpackLimit=1',
];

/** A disk that does not answer must not hold up the edit for ever. */
const PATIENCE_MS = 60_000;

/** @throws Error in git's words; ENOENT where there is no git */
export function git(directory: string, args: readonly string[], input?: Uint8Array): Promise<Buffer> {
  const child = spawn('git', [...CONFIG.flatMap(each => ['-c', each]), ...args], {
    cwd: directory,
    env: environmentFor(directory),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const out: Buffer[] = [];
  const complaints: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes));
  child.on('error', reject);
  // Git that has ended early says why; that its input was cut does not.
  child.stdin.on('error', () => {});
  child.on('close', code => {
    const words = Buffer.concat(complaints).toString('utf8').trim();
    if (code === 0) resolve(Buffer.concat(out));
    else reject(new Error(`git ${args[0]}: ${words || (code ?? 'it took too long')}`));
  });
  child.stdin.end(input);
  return promise;
}

/** No variable of this process but the path to programs: GIT_DIR and its like would lead to the owner's repository. */
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
