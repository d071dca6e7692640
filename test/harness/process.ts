/** The kernel as the program that people start: a process that can be stopped, and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { checkedFetch } from './checked-fetch.ts';
import { ApiClient } from './client.ts';
import { temporaryDirectory } from './directory.ts';
import type { KernelOptions } from './kernel.ts';
import { TestClient } from './kernel-client.ts';
import { ENVIRONMENT, refuseStoredSecrets, secretWatch, withSecrets } from './secrets.ts';
import { settingsFor } from './settings.ts';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface KernelProcess {
  url: string;
  /** As those of TestKernel. */
  api: ApiClient;
  client: TestClient;
  upstream: Upstream;
  pid: number;
  /** Returns the log so far. */
  log(): string;
  /**
   * SIGTERM; resolves when the process is gone. Throws where it has said or kept a secret (API-7), or told the client
   * what is not as documented.
   */
  stop(): Promise<Exit>;
  /** SIGKILL, as a crash. */
  kill(): Promise<Exit>;
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = 'packages/server/bin/chat-kernel.js';
const READY = /^chat-kernel listening on (http:\/\/\S+)\n$/;

interface ProcessOptions extends KernelOptions {
  /**
   * The home folder of the kernel's owner, and the present one; its settings lie where a start finds them unasked.
   * Default: a folder of its own, and settings that are named.
   */
  home?: string;
  /** Default: a free one. */
  port?: number;
  /** The checkout whose program it is; default: this one. */
  checkout?: string;
  /** Variables besides those that every kernel of the tests has. */
  environment?: Record<string, string>;
}

/** Resolves when it says that it takes requests. Throws with its last words where it does not start. */
export async function startKernelProcess(options: ProcessOptions = {}): Promise<KernelProcess> {
  const upstream = options.upstream ?? (await startUpstream());
  const directory = temporaryDirectory();
  const { home } = options;
  const file = join(home === undefined ? directory.path : `${home}/.config/chat-kernel`, 'config.yaml');
  mkdirSync(dirname(file), { recursive: true });
  const tree = settingsFor(upstream.url, options.kind ?? 'openai-compatible', {
    ...options.settings,
    ...(options.database !== undefined && { database: { url: options.database } }),
  });
  // YAML reads JSON.
  writeFileSync(file, JSON.stringify(withSecrets(tree, { named: true })));
  const dataDir = options.dataDir ?? join(directory.path, 'data');
  const named = home === undefined ? ['--config', file] : [];
  const child = spawn(
    process.execPath,
    [
      join(options.checkout ?? CHECKOUT, PROGRAM),
      ...named,
      '--port',
      String(options.port ?? 0),
      '--data',
      dataDir,
    ],
    {
      ...(home !== undefined && { cwd: home }),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home ?? directory.path, ...ENVIRONMENT, ...options.environment },
    },
  );
  let logged = '';
  let told: Error | undefined;
  for (const output of [child.stdout, child.stderr]) {
    const refuseSecrets = secretWatch('what the kernel prints');
    output.setEncoding('utf8').on('data', text => {
      if (output === child.stderr) logged += text;
      try {
        refuseSecrets(text);
      } catch (error) {
        told ??= error as Error;
      }
    });
  }
  const gone = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    child.kill(signal);
    const exit = await gone;
    if (!options.upstream) await upstream.close();
    refuseStoredSecrets(dataDir);
    directory.remove();
    if (told) throw told;
    return exit;
  };
  try {
    const url = await listening(child, () => logged);
    const api = new ApiClient(url, options.checkout);
    const fetch = checkedFetch(api, error => {
      told ??= error;
    });
    return {
      url,
      api,
      client: new TestClient({ url, fetch }),
      upstream,
      pid: child.pid as number,
      log: () => logged,
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

function listening({ pid, stdout }: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    stdout?.on('data', chunk => {
      said += chunk;
      const url = READY.exec(said)?.[1];
      if (url) resolve(url);
    });
    stdout?.on('close', () => reject(new Error(`the kernel did not start (${pid}): ${said}${log()}`)));
  });
}
