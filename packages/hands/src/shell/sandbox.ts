/** Detects whether the kernel has a sandbox, and provides the one for the commands of a call (WHO-7). */
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { INTERNET, type Internet } from '@chat-kernel/net';
import { type SandboxExceptions, sandboxException } from '@chat-kernel/protocol';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';
import { refuseMoved } from '../machine/replaceable-link.ts';
import type { SandboxKind } from '../machine/write-place.ts';
import { harmlessVariables } from '../processes/environment.ts';
import { bubblewrapProblem, bubblewrapped, PROXY_PORT } from './bubblewrap.ts';
import type { CacheCopies, CacheMount } from './cache-copies.ts';
import type { MayReach } from './egress-proxy.ts';
import { gitEnvironment } from './git-environment.ts';
import { GuardLog } from './guard-log.ts';
import { guardWorkdir } from './guard-workdir.ts';
import type { HostList } from './hosts.ts';
import { networkNotes } from './network-notes.ts';
import { proxyEnvironment } from './proxy-environment.ts';

interface SandboxSettings {
  /** auto: bwrap if it works. */
  sandbox: 'auto' | 'bwrap' | 'none';
  /** The hosts that commands in the sandbox can reach; on: all public hosts. */
  network: 'on' | 'off' | HostList;
  /** Absent: commands write no caches. */
  caches?: CacheCopies | undefined;
}

/** The environment in which the commands of one call run. */
export interface Enclosure {
  /** Returns the command line that runs `words` in it. */
  around(words: readonly string[]): Promise<readonly string[]>;
  /** Accepts the connection of each command, if they have one: its descriptor 5. */
  serve?(relay: Socket): void;
  /** Variables that the commands need. */
  env: Readonly<Record<string, string>>;
  /** The hosts that commands were allowed to reach so far; none is known outside of a sandbox. */
  reached(): string[];
  /** Sentences for the reader of the output, which seldom shows that only the sandbox made something fail. */
  notes(output: string, failed: boolean): string[];
  leave(): Promise<void>;
}

/** No sandbox, but only in the directory that the user was asked about. */
export const openIn = (cwd: string): Enclosure => ({
  async around(words) {
    await refuseMoved(cwd);
    return words;
  },
  env: {},
  reached: () => [],
  notes: () => [],
  async leave() {},
});

export class Sandbox {
  readonly #settings: SandboxSettings;
  readonly #paths: MachinePaths;
  readonly #internet: Internet;
  #problem: Promise<string | null> | undefined;

  constructor(settings: SandboxSettings, paths: MachinePaths, internet = INTERNET) {
    this.#settings = settings;
    this.#paths = paths;
    this.#internet = internet;
  }

  /**
   * Returns the active sandbox. Determined once, so that it matches what the user saw when they approved an operation.
   */
  async kind(): Promise<SandboxKind> {
    const { sandbox } = this.#settings;
    if (sandbox !== 'auto') return sandbox;
    return (await this.problem()) === null ? 'bwrap' : 'none';
  }

  /** Whether no sandbox works here, although the settings do not say `none`. */
  async isMissing(): Promise<boolean> {
    return this.#settings.sandbox !== 'none' && (await this.kind()) === 'none';
  }

  /** Returns the reason why no sandbox works here, as a sentence; null if one works. */
  problem(): Promise<string | null> {
    this.#problem ??= bubblewrapProblem(this.#paths);
    return this.#problem;
  }

  /**
   * @param cwd real path of the working directory
   * @param exceptions to the rules of the sandbox, which the owner has allowed
   * @param mayReach decides about hosts that the settings do not list; absent: all may be reached
   */
  async enter(cwd: string, exceptions: SandboxExceptions = {}, mayReach?: MayReach): Promise<Enclosure> {
    const exception = sandboxException(exceptions);
    if (exception === 'outside_sandbox' || (await this.kind()) === 'none') return openIn(cwd);
    const { network } = this.#settings;
    const proxy = await this.#openProxy(mayReach);
    const paths = this.#paths;
    const git = await gitEnvironment(cwd, harmlessVariables(process.env));
    const caches = (await this.#settings.caches?.mounts(cwd, paths)) ?? [];
    const guards = new GuardLog(cwd);
    return {
      async around(words) {
        await refuseMoved(cwd);
        // Commands run one after the other, and each may create files that the next must not see.
        const guard = guards.add(await guardWorkdir(cwd, paths, exception === 'protected'));
        return bubblewrapped(words, { cwd, paths, guard, caches, network: proxy !== null });
      },
      ...(proxy && { serve: proxy.serve }),
      env: {
        ...ownPlaces(caches),
        ...git,
        ...(paths.isScratch(cwd) && { HOME: cwd }),
        ...(proxy && proxyEnvironment(PROXY_PORT)),
      },
      reached: () => [...(proxy?.reached ?? [])],
      notes: (output, failed) => [
        ...guards.notes(output),
        ...networkNotes(output, { network, failures: proxy?.failures ?? [], failed }),
      ],
      async leave() {
        await proxy?.close();
        await guards.close();
      },
    };
  }

  async #openProxy(mayReach?: MayReach) {
    const { network } = this.#settings;
    if (network === 'off') return null;
    // Load the proxy on first use instead of at each start.
    const { openEgressProxy } = await import('./egress-proxy.ts');
    return openEgressProxy(network, this.#internet, mayReach);
  }
}

/**
 * Redirects files that programs would write to the home folder, which is read-only; npm fails otherwise. A cache with a copy keeps
 * its path.
 */
function ownPlaces(caches: readonly CacheMount[]): Record<string, string> {
  const isWritable = (name: string) => caches.some(({ path }) => isWithin(path, join(homedir(), name)));
  return {
    TMPDIR: '/tmp',
    ...(!isWritable('.cache') && { XDG_CACHE_HOME: '/tmp/.cache' }),
    ...(!isWritable('.npm') && { npm_config_cache: '/tmp/.npm' }),
  };
}
