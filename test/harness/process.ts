/** Runs the kernel as the program that users start: a process that can be stopped and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTables } from '../../packages/storage/test/sqlite-template.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { checkedFetch } from './checked-fetch.ts';
import { ApiClient } from './client.ts';
import { ownDatabase } from './database.ts';
import { temporaryDirectory } from './directory.ts';
import { inMemory } from './in-memory.ts';
import type { KernelOptions } from './kernel.ts';
import { TestClient } from './kernel-client.ts';
import { PROGRAM, programIn } from './program.ts';
import { ENVIRONMENT, refuseStoredSecrets, secretWatch, withSecrets } from './secrets.ts';
import { settingsFor } from './settings.ts';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface KernelProcess {
  url: string;
  /** The same as those of TestKernel. */
  api: ApiClient;
  client: TestClient;
  upstream: Upstream;
  pid: number;
  /** Returns the log so far. */
  log(): string;
  /**
   * Sends SIGTERM and resolves when the process has exited. Throws if it printed or stored a secret (API-7), or sent
   * the client something that does not match the document.
   */
  stop(): Promise<Exit>;
  /** Sends SIGKILL, as in a crash. */
  kill(): Promise<Exit>;
}

const READY = /^chat-kernel listening on (http:\/\/\S+)\n$/;

interface ProcessOptions extends KernelOptions {
  /**
   * The home folder of the user and the working directory; its settings are where a start finds them by default.
   * Default: a new folder, and settings that are passed by name.
   */
  home?: string;
  /** Default: a free port. */
  port?: number;
  /** The checkout whose program runs; default: this one. */
  checkout?: string;
  /** Variables in addition to those that every kernel of the tests has. */
  environment?: Record<string, string>;
}

/** Resolves when the kernel reports that it accepts requests. Throws with its last output if it does not start. */
export async function startKernelProcess(options: ProcessOptions = {}): Promise<KernelProcess> {
  const upstream = options.upstream ?? (await startUpstream());
  const directory = temporaryDirectory(inMemory());
  const { home } = options;
  const file = join(home === undefined ? directory.path : `${home}/.config/chat-kernel`, 'config.yaml');
  mkdirSync(dirname(file), { recursive: true });
  const dataDir = options.dataDir ?? join(directory.path, 'data');
  const database = options.database ?? (await ownDatabase(dataDir));
  const tree = settingsFor(upstream.url, options.kind ?? 'openai-compatible', {
    ...options.settings,
    ...(database !== undefined && { database: { url: database } }),
  });
  // YAML reads JSON.
  writeFileSync(file, JSON.stringify(withSecrets(tree, { named: true })), { mode: 0o600 });
  const isPlain = [options.dataDir, database, options.checkout].every(each => each === undefined);
  if (isPlain) await createTables(dataDir);
  const named = home === undefined ? ['--config', file] : [];
  const child = spawn(
    process.execPath,
    [
      options.checkout === undefined ? PROGRAM : programIn(options.checkout),
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
