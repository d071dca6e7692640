/** Commands behind bubblewrap: the machine read-only, the kernel's data hidden, the working directory writable (WHO-7). */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ForbiddenPlace, isWithin, type MachinePaths, PathError } from '../machine/machine-path.ts';

const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url));
/** Where the socket of the way out is inside. Of the private places only /dev is never the working directory. */
const SOCKET_INSIDE = '/dev/chat-kernel-way-out';
/** The port of the way out, on the loopback of the sandbox. */
export const PROXY_PORT = 3128;
/** The longest wait for the look whether there can be a sandbox. */
const PROBE_MS = 10_000;

interface SandboxOptions {
  /** Real path of the working directory. */
  cwd: string;
  paths: MachinePaths;
  /** Path of a socket that leads out of the empty network; null: there is none. */
  socket: string | null;
}

/**
 * Returns the words that run `words` in a sandbox. Writable: `cwd` and private /tmp and /run. Hidden: other processes,
 * what is forbidden in `paths`, save for what is readable in it, and the sockets of services in /run, any of which could
 * run a command outside. The network is one of its own, with nothing in it but the relay to `socket`.
 * @throws PathError where a command could lead the kernel elsewhere by a link in `cwd`
 */
export async function bubblewrapped(
  words: readonly string[],
  { cwd, paths, socket }: SandboxOptions,
): Promise<string[]> {
  const link = (await paths.forbiddenLinks()).find(path => isWithin(path, cwd));
  if (link !== undefined) {
    throw new PathError(
      `In the sandbox nothing runs in ${cwd}: ${link} is a link that leads to what belongs to the kernel. Set a working directory below.`,
    );
  }
  const hidden = await placesToHide(await paths.forbidden(), cwd);
  const directories = hidden.filter(({ kind }) => kind === 'directory').map(({ path }) => path);
  const files = hidden.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const own = ownDirectories();
  return [
    'bwrap',
    ...['--ro-bind', '/', '/'],
    ...own.filter(({ path }) => isWithin(cwd, path)).flatMap(({ mounts }) => mounts),
    ...['--bind', cwd, cwd],
    // What is private lies over the working directory, should that be the root.
    ...own.filter(({ path }) => !isWithin(cwd, path)).flatMap(({ mounts }) => mounts),
    ...['--dev', '/dev', '--proc', '/proc'],
    // Hidden paths come last, for they may lie in the working directory. There, no directory above them may be moved
    // away, so that nothing else can be put in their place: a mount point stays where it is.
    ...unique(hidden.flatMap(({ path }) => directoriesBetween(cwd, path))).flatMap(dir => [
      '--bind',
      dir,
      dir,
    ]),
    ...directories.flatMap(path => ['--tmpfs', path]),
    ...files.flatMap(path => ['--ro-bind', '/dev/null', path]),
    // The first upload makes this directory, so it may not exist yet.
    ...paths.readable.flatMap(path => ['--ro-bind-try', path, path]),
    ...directories.flatMap(path => ['--remount-ro', path]),
    ...(socket === null ? [] : relayMounts(socket, cwd, own)),
    ...[
      '--unshare-net',
      '--unshare-pid',
      '--unshare-ipc',
      '--die-with-parent',
      ...lessThanRoot(),
      '--chdir',
      cwd,
      '--',
    ],
    ...(socket === null ? [] : [process.execPath, RELAY, SOCKET_INSIDE, String(PROXY_PORT)]),
    ...words,
  ];
}

/** The socket, and the programs of the relay where they would be hidden: for a kernel that was installed below /tmp. */
function relayMounts(socket: string, cwd: string, own: readonly { path: string }[]): string[] {
  const hidden = [process.execPath, RELAY].filter(
    file => own.some(({ path }) => isWithin(file, path)) && !isWithin(file, cwd),
  );
  return [...hidden.flatMap(path => ['--ro-bind', path, path]), '--bind', socket, SOCKET_INSIDE];
}

/** Returns the reason why commands cannot run in a sandbox here, as a sentence; null where they can. */
export async function bubblewrapProblem(paths: MachinePaths): Promise<string | null> {
  try {
    const [program, ...words] = await bubblewrapped(['true'], { cwd: '/usr', paths, socket: null });
    await promisify(execFile)(program!, words, { timeout: PROBE_MS, killSignal: 'SIGKILL' });
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return 'bubblewrap is not installed: no bwrap in PATH (Debian: apt-get install bubblewrap)';
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return `bubblewrap cannot make a sandbox on this system: ${said || String(error)}`;
  }
}

/**
 * Returns what has to be hidden, each of it there. A place in the working directory that is missing is made, as a
 * directory, or else a command could make it.
 */
async function placesToHide(places: readonly ForbiddenPlace[], cwd: string): Promise<ForbiddenPlace[]> {
  const here = places.filter(({ path, kind }) => kind !== 'missing' || isWithin(path, cwd));
  return Promise.all(
    here.map(async ({ path, kind }) => {
      if (kind !== 'missing') return { path, kind };
      await mkdir(path, { recursive: true, mode: 0o700 });
      return { path, kind: 'directory' };
    }),
  );
}

/** Returns the directories below `cwd` and above `path`, the highest first; none where the path lies elsewhere. */
function directoriesBetween(cwd: string, path: string): string[] {
  const above = dirname(path);
  if (above === cwd || !isWithin(above, cwd) || above === dirname(above)) return [];
  return [...directoriesBetween(cwd, above), above];
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

/** Private directories. Of /run there is only what holds no sockets: programs of NixOS, and the addresses of name servers. */
function ownDirectories(): { path: string; mounts: string[] }[] {
  const kept = ['/run/current-system', '/run/wrappers', '/run/systemd/resolve', '/run/resolvconf'];
  const visible = kept.flatMap(path => ['--ro-bind-try', path, path]);
  return [
    { path: '/tmp', mounts: ['--tmpfs', '/tmp'] },
    ...(existsSync('/run') ? [{ path: '/run', mounts: ['--tmpfs', '/run', ...visible] }] : []),
  ];
}

/** What root needs for its files, and nothing by which it could undo the sandbox. Others have no such powers anyway. */
const lessThanRoot = (): string[] =>
  process.geteuid?.() === 0
    ? [
        ...['--cap-drop', 'ALL'],
        ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID'].flatMap(name => [
          '--cap-add',
          `CAP_${name}`,
        ]),
      ]
    : [];
