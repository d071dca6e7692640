/**
 * The sandbox of commands on a machine with macOS (CONSENT-9). Only its profile is tested, as text: no test runs on macOS. If it does
 * not work, there is no sandbox.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { INTERNET } from '@chat-kernel/net';
import { type SandboxExceptions, sandboxException } from '@chat-kernel/protocol';
import type { ForbiddenPlace } from '../machine/forbidden-place.ts';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';
import { refuseMoved } from '../machine/replaceable-link.ts';
import type { SandboxKind } from '../machine/write-place.ts';
import { harmlessVariables } from '../processes/environment.ts';
import { gitEnvironment } from './git-environment.ts';
import { GuardLog } from './guard-log.ts';
import { guardWorkdir, NO_GUARD, type WorkdirGuard } from './guard-workdir.ts';
import { networkNotes } from './network-notes.ts';
import { proxyEnvironment } from './proxy-environment.ts';
import { type Enclosure, openIn } from './sandbox.ts';

const PROGRAM = '/usr/bin/sandbox-exec';
/** Timeout of the check whether it works. */
const PROBE_MS = 10_000;

export class SeatbeltSandbox {
  readonly #paths: MachinePaths;
  #kind: Promise<SandboxKind> | undefined;

  constructor(paths: MachinePaths) {
    this.#paths = paths;
  }

  kind(): Promise<SandboxKind> {
    this.#kind ??= probe();
    return this.#kind;
  }

  /** @param cwd real path of the directory that commands can write */
  async enter(cwd: string, exceptions: SandboxExceptions = {}): Promise<Enclosure> {
    const exception = sandboxException(exceptions);
    if (exception === 'outside_sandbox' || (await this.kind()) === 'none') return openIn(cwd);
    const paths = this.#paths;
    const { openEgressProxy } = await import('./egress-proxy.ts');
    const proxy = await openEgressProxy('on', INTERNET);
    const proxyPort = await proxy.listen();
    const temporary = await realpath(await mkdtemp(join(tmpdir(), 'chat-kernel-')));
    const guards = new GuardLog(cwd);
    return {
      async around(words) {
        await refuseMoved(cwd);
        const guard = guards.add(await guardWorkdir(cwd, paths, exception === 'protected'));
        const forbidden = await paths.forbidden();
        const profile = seatbeltProfile({ writable: [cwd, temporary], forbidden, guard, proxyPort });
        return [PROGRAM, '-p', profile, ...words];
      },
      env: {
        TMPDIR: temporary,
        XDG_CACHE_HOME: join(temporary, '.cache'),
        npm_config_cache: join(temporary, '.npm'),
        ...(await gitEnvironment(cwd, harmlessVariables(process.env))),
        ...proxyEnvironment(proxyPort),
      },
      reached: () => [...proxy.reached],
      notes: (output, failed) => [
        ...guards.notes(output),
        ...networkNotes(output, { network: 'on', failures: proxy.failures, failed }),
      ],
      async leave() {
        await proxy.close();
        await guards.close();
        await rm(temporary, { recursive: true, force: true });
      },
    };
  }
}

async function probe(): Promise<SandboxKind> {
  const profile = seatbeltProfile({ writable: [], forbidden: [], guard: NO_GUARD, proxyPort: null });
  try {
    await promisify(execFile)(PROGRAM, ['-p', profile, '/usr/bin/true'], { timeout: PROBE_MS });
    return 'sandbox-exec';
  } catch {
    return 'none';
  }
}

interface SeatbeltRules {
  /** Real paths of directories that commands can write. */
  writable: readonly string[];
  /** The files of a kernel on this machine. */
  forbidden: readonly Pick<ForbiddenPlace, 'path'>[];
  guard: WorkdirGuard;
  /** The port of the egress proxy on this machine; null: no network. */
  proxyPort: number | null;
}

/** Devices that programs write. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'];

/**
 * Writes the rules of the sandbox as a profile for `sandbox-exec` of macOS (CONSENT-9). Of the rules that apply to an operation, the
 * last one counts.
 */
export function seatbeltProfile({ writable, forbidden, guard, proxyPort }: SeatbeltRules): string {
  const hidden = [...forbidden, ...guard.hidden].map(({ path }) => path);
  const above = [...hidden, ...guard.readOnly].flatMap(path =>
    directoriesAbove(path).filter(directory => writable.some(root => isWithin(directory, root))),
  );
  return [
    '(version 1)',
    '(allow default)',
    // Programs outside of the sandbox must not act for a command.
    '(deny appleevent-send lsopen job-creation)',
    '(deny signal process-info*)',
    '(allow signal process-info* (target same-sandbox))',
    '(deny file-write*)',
    rule('allow file-write*', [...writable.map(subpath), ...DEVICES.map(literal)]),
    rule('deny file-write*', guard.readOnly.map(subpath)),
    // Rules are about paths, so a directory above a hidden or read-only one must not be moved.
    rule('deny file-write-unlink', [...new Set([...guard.pinned, ...above])].map(literal)),
    rule('deny file-write*', guard.unwanted.map(literal)),
    rule('deny file-read* file-write*', hidden.map(subpath)),
    rule('allow file-read*', guard.visible.map(subpath)),
    '(deny network*)',
    ...(proxyPort === null ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`]),
  ]
    .filter(line => line !== '')
    .join('\n');
}

function directoriesAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...directoriesAbove(parent)];
}

/** A rule without filters would apply to everything. */
const rule = (action: string, filters: readonly string[]): string =>
  filters.length === 0 ? '' : `(${action} ${filters.join(' ')})`;
const subpath = (path: string): string => `(subpath ${JSON.stringify(path)})`;
const literal = (path: string): string => `(literal ${JSON.stringify(path)})`;
