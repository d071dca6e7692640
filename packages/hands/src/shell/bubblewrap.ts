/**
 * Runs commands in bubblewrap: the machine is read-only, the kernel's data hidden, the working directory writable
 * (WHO-7).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ForbiddenPlace } from '../machine/forbidden-place.ts';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';
import { PathError } from '../machine/path-errors.ts';
import type { CacheMount } from './cache-copies.ts';
import { NO_GUARD, type WorkdirGuard } from './guard-workdir.ts';
import { seccompFile } from './seccomp.ts';

const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url));
/** The descriptor of the connection to the egress proxy, which the relay inherits. */
const PROXY_DESCRIPTOR = 5;
/** The descriptor from which bubblewrap reads the filter of system calls. */
const FILTER_DESCRIPTOR = 9;
/** The port of the egress proxy, on the loopback of the sandbox. */
export const PROXY_PORT = 3128;
/** Timeout of the check whether a sandbox works. */
const PROBE_MS = 10_000;

interface SandboxOptions {
  /** Real path of the working directory. */
  cwd: string;
  paths: MachinePaths;
  /** Hidden and read-only paths besides those of the kernel. */
  guard: WorkdirGuard;
  /** Directories that commands see, and can write, as copies. */
  caches?: readonly CacheMount[];
  /** True if `PROXY_DESCRIPTOR` leads to the egress proxy; otherwise there is no network. */
  network: boolean;
}

/**
 * Returns the command line that runs `words` in a sandbox. Writable: `cwd` and private /tmp and /run. Hidden: other
 * processes, everything forbidden in `paths` except its readable parts, secret places, and the sockets of services in /run,
 * any of which could run a command outside. The network is separate and contains only the relay to the proxy.
 * @throws PathError if a command could redirect the kernel by a link in `cwd`
 */
export async function bubblewrapped(
  words: readonly string[],
  { cwd, paths, guard, caches = [], network }: SandboxOptions,
): Promise<string[]> {
  const link = (await paths.forbiddenLinks()).find(path => isWithin(path, cwd));
  if (link !== undefined) {
    throw new PathError(
      `In the sandbox nothing runs in ${cwd}: ${link} is a link that leads to what belongs to the kernel. Set a working directory below.`,
    );
  }
  const kernel = await placesToHide(await paths.forbidden(), cwd);
  const hidden = [...kernel, ...guard.hidden];
  const directories = hidden.filter(({ kind }) => kind === 'directory').map(({ path }) => path);
  const files = hidden.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const own = ownDirectories();
  const isAround = (path: string) => isWithin(cwd, path);
  const around = directories.filter(isAround).sort((one, other) => one.length - other.length);
  return [
    ...filteredBubblewrap(),
    ...['--ro-bind', '/', '/'],
    ...own.filter(({ path }) => isAround(path)).flatMap(({ mounts }) => mounts),
    // The scratch directory of a chat is in directories that are hidden.
    ...around.flatMap(path => ['--tmpfs', path]),
    ...['--bind', cwd, cwd],
    // Private directories are mounted over the working directory, in case that is the root.
    ...own.filter(({ path }) => !isAround(path)).flatMap(({ mounts }) => mounts),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...caches.flatMap(({ path, copy }) => ['--bind', copy, path]),
    // Hidden paths come last, because they may be in the working directory. There, directories above those of the kernel
    // must not be moved: otherwise a command could put something else in their place. A mount point cannot be moved.
    ...unique([...kernel.flatMap(({ path }) => directoriesBetween(cwd, path)), ...guard.pinned])
      .sort((one, other) => one.length - other.length)
      .flatMap(dir => ['--bind', dir, dir]),
    ...guard.readOnly.flatMap(path => ['--ro-bind', path, path]),
    ...directories.filter(path => !isAround(path)).flatMap(path => ['--tmpfs', path]),
    ...files.flatMap(path => ['--ro-bind', '/dev/null', path]),
    // The first upload creates this directory, so it may not exist yet.
    ...[...paths.readable, ...guard.visible].flatMap(path => ['--ro-bind-try', path, path]),
    ...(network ? relayMounts(cwd, [...own.map(({ path }) => path), ...directories]) : []),
    ...directories.flatMap(path => ['--remount-ro', path]),
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
    ...limitedShell(),
    ...(network ? [process.execPath, RELAY, String(PROXY_DESCRIPTOR), String(PROXY_PORT)] : []),
    ...words,
  ];
}

/** Mounts the programs of the relay if they would be hidden: for a kernel that is installed below /tmp or at home. */
function relayMounts(cwd: string, hidden: readonly string[]): string[] {
  const files = [process.execPath, RELAY].filter(
    file => hidden.some(path => isWithin(file, path)) && !isWithin(file, cwd),
  );
  return files.flatMap(path => ['--ro-bind', path, path]);
}

/** The program, which gets the filter of system calls from a shell: descriptors of the kernel's files are not shared. */
function filteredBubblewrap(): string[] {
  const filter = seccompFile();
  if (filter === null) return ['bwrap'];
  const run = `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`;
  return ['/bin/sh', '-c', run, filter, 'bwrap', '--seccomp', String(FILTER_DESCRIPTOR)];
}

/** Returns the reason why commands cannot run in a sandbox here, as a sentence; null if they can. */
export async function bubblewrapProblem(paths: MachinePaths): Promise<string | null> {
  try {
    const [program, ...words] = await bubblewrapped(['true'], {
      cwd: '/usr',
      paths,
      guard: NO_GUARD,
      network: false,
    });
    await promisify(execFile)(program!, words, { timeout: PROBE_MS, killSignal: 'SIGKILL' });
    return null;
  } catch (error) {
    // A shell that starts it reports a missing program by its exit code.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 127)) {
      return 'bubblewrap is not installed: no bwrap in PATH (Debian: apt-get install bubblewrap)';
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return `bubblewrap cannot make a sandbox on this system: ${said || String(error)}`;
  }
}

/**
 * Returns the locations to hide, all of which exist. A missing location in the working directory is created as a
 * directory; otherwise a command could create it.
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

/** Returns the directories below `cwd` and above `path`, topmost first; empty if the path is not below `cwd`. */
function directoriesBetween(cwd: string, path: string): string[] {
  const above = dirname(path);
  if (above === cwd || !isWithin(above, cwd) || above === dirname(above)) return [];
  return [...directoriesBetween(cwd, above), above];
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

/**
 * Lists private directories. /run keeps only parts without sockets: programs of NixOS, and the addresses of name
 * servers.
 */
function ownDirectories(): { path: string; mounts: string[] }[] {
  const kept = ['/run/current-system', '/run/wrappers', '/run/systemd/resolve', '/run/resolvconf'];
  const visible = kept.flatMap(path => ['--ro-bind-try', path, path]);
  return [
    { path: '/tmp', mounts: ['--tmpfs', '/tmp'] },
    ...(existsSync('/run') ? [{ path: '/run', mounts: ['--tmpfs', '/run', ...visible] }] : []),
  ];
}

/**
 * Leaves root the capabilities that its files need, and none that could undo the sandbox. Other users have no such
 * capabilities.
 */
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

/** Generous: a parallel build of a large project has some hundreds. */
const MAX_PROCESSES = 4096;
const MAX_OPEN_FILES = 65_536;
/**
 * If memory runs out, the system ends a command rather than other programs. A limit of memory would count for each
 * single process, and break programs that reserve far more than they use.
 */
const OOM_SCORE = 500;

/** Shells have different letters for processes. A limit that is already lower remains. */
const SCRIPT = [
  `{ echo ${OOM_SCORE} >/proc/self/oom_score_adj; ulimit -u ${MAX_PROCESSES} || ulimit -p ${MAX_PROCESSES};`,
  `ulimit -Hn ${MAX_OPEN_FILES} || ulimit -n ${MAX_OPEN_FILES}; ulimit -c 0; } 2>/dev/null; exec "$@"`,
].join(' ');

/**
 * Limits what a command in the sandbox can use up. The limits are set inside, where on Linux 5.14 and later they
 * count only the processes of this sandbox; those of root are not counted. Returns the beginning of a command line
 * that runs its other arguments with limits.
 */
const limitedShell = (): string[] => ['/bin/sh', '-c', SCRIPT, 'sh'];
