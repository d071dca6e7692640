/** The sandbox of a kernel: whether there is one, and the one that the commands of a call run in (WHO-7). */
import type { SandboxKind } from '@chat-kernel/kernel';
import type { MachinePaths } from '../machine/machine-path.ts';
import { bubblewrapProblem, bubblewrapped, PROXY_PORT } from './bubblewrap.ts';
import { type HostList, INTERNET, type Internet } from './hosts.ts';

interface SandboxSettings {
  /** auto: bwrap where it works. */
  sandbox: 'auto' | 'bwrap' | 'none';
  /** What commands in the sandbox reach; on: all public hosts. */
  network: 'on' | 'off' | HostList;
}

/** What the commands of one call run in. */
interface Enclosure {
  /** The words that run `words` in it. */
  around(words: readonly string[]): Promise<readonly string[]>;
  /** Variables that its commands need. */
  env: Readonly<Record<string, string>>;
  /** Sentences for whoever reads the output, which seldom says why something failed here alone. */
  notes(output: string): string[];
  leave(): Promise<void>;
}

const NONE: Enclosure = {
  around: async words => words,
  env: {},
  notes: () => [],
  async leave() {},
};

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

  /** Says what holds. Looked at once: what an owner was told when he was asked stays true. */
  async kind(): Promise<SandboxKind> {
    const { sandbox } = this.#settings;
    if (sandbox !== 'auto') return sandbox;
    return (await this.problem()) === null ? 'bwrap' : 'none';
  }

  /** Returns the reason why there can be no sandbox here, as a sentence; null where there can. */
  problem(): Promise<string | null> {
    this.#problem ??= bubblewrapProblem(this.#paths);
    return this.#problem;
  }

  /** @param cwd real path of the working directory */
  async enter(cwd: string): Promise<Enclosure> {
    if ((await this.kind()) === 'none') return NONE;
    const { network } = this.#settings;
    const paths = this.#paths;
    if (network === 'off') {
      return {
        around: words => bubblewrapped(words, { cwd, paths, socket: null }),
        env: OWN_PLACES,
        notes: aboutWriting,
        async leave() {},
      };
    }
    // The proxy is loaded when it is first needed, and not at each start.
    const { openWayOut } = await import('./way-out.ts');
    const { socket, failures, close } = await openWayOut(network, this.#internet);
    return {
      around: words => bubblewrapped(words, { cwd, paths, socket }),
      env: { ...OWN_PLACES, ...PROXIED },
      notes: output => [...aboutWriting(output), ...[...failures].map(sentence => `[network: ${sentence}]`)],
      leave: close,
    };
  }
}

const aboutWriting = (output: string): string[] =>
  output.toLowerCase().includes('read-only file system')
    ? ['[sandbox: only the working directory and /tmp can be written]']
    : [];

/** Programs write here what would lie in the home folder, which is read-only; npm does nothing without. */
const OWN_PLACES = { TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.npm' };

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const NOT_PROXIED = 'localhost,127.0.0.1,::1';
const PROXIED = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  // Servers that a command starts are in its own network.
  NO_PROXY: NOT_PROXIED,
  no_proxy: NOT_PROXIED,
  // Without it Node's own fetch knows no proxy.
  NODE_USE_ENV_PROXY: '1',
};
