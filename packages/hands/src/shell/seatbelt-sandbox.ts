/**
 * The sandbox of commands on a machine with macOS (CONSENT-9). Only its profile is tested, as text: no test runs on macOS. If it does
 * not work, there is no sandbox.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SandboxExceptions, sandboxException } from '@chat-kernel/protocol';
import type { MachinePaths } from '../machine/machine-path.ts';
import { refuseMoved } from '../machine/replaceable-link.ts';
import type { SandboxKind } from '../machine/write-place.ts';
import { harmlessVariables } from '../processes/environment.ts';
import { gitEnvironment } from './git-environment.ts';
import { GuardLog } from './guard-log.ts';
import { guardWorkdir, NO_GUARD } from './guard-workdir.ts';
import { INTERNET } from './hosts.ts';
import { networkNotes } from './network-notes.ts';
import { proxyEnvironment } from './proxy-environment.ts';
import { type Enclosure, openIn } from './sandbox.ts';
import { seatbeltProfile } from './seatbelt.ts';

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
