/** Runs the real kernel in the process of the test, composed as the program composes it, on its own port. */
import type { Clock } from '@chat-kernel/kernel';
import { type RunningServer, startServer } from '@chat-kernel/server';
import { collectSecrets } from '@chat-kernel/settings';
import { openLog } from '../../packages/server/src/start/log.ts';
import { createTables } from '../../packages/storage/test/sqlite-template.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { checkedFetch } from './checked-fetch.ts';
import { ApiClient } from './client.ts';
import { dropDatabase, ownDatabase } from './database.ts';
import { temporaryDirectory } from './directory.ts';
import { inMemory } from './in-memory.ts';
import { TestClient } from './kernel-client.ts';
import { ENVIRONMENT, refuseSecrets, refuseStoredSecrets, withSecrets } from './secrets.ts';
import { type Kind, parsedSettings, settingsFor, type Wanted } from './settings.ts';

/** The number of this level in pino. */
const ERROR = 50;

export interface KernelOptions {
  /** Default: its own, which stops with the kernel. */
  upstream?: Upstream;
  /** The provider API between kernel and upstream; default openai-compatible. */
  kind?: Kind;
  settings?: Wanted;
  /** Default: its own, which is removed with the kernel. */
  dataDir?: string;
  /** postgres://..., default: what ownDatabase returns, or SQLite in the data directory. */
  database?: string;
  /** Default: the real one. */
  clock?: Clock;
}

export interface TestKernel {
  url: string;
  /** For behavior that is pinned byte by byte, and for requests that a good client would not send. */
  api: ApiClient;
  /** The client that all tests use; its responses are also checked against the document. */
  client: TestClient;
  upstream: Upstream;
  /** Throws if the kernel has logged an error, because no test here expects one, or has stored a secret (API-7). */
  stop(): Promise<void>;
}

export async function startKernel(options: KernelOptions = {}): Promise<TestKernel> {
  const upstream = options.upstream ?? (await startUpstream());
  const directory = temporaryDirectory(inMemory());
  const data_dir = options.dataDir ?? directory.path;
  const database = options.database ?? (await ownDatabase(data_dir));
  if (options.dataDir === undefined && database === undefined) await createTables(data_dir);
  const tree = settingsFor(upstream.url, options.kind ?? 'openai-compatible', options.settings);
  const settings = parsedSettings({
    ...withSecrets(tree, { named: false }),
    data_dir,
    ...(database !== undefined && { database: { url: database } }),
  });
  const surprises: string[] = [];
  const server: RunningServer = await startServer(settings, {
    log: openLog('debug', collectSecrets(settings, ENVIRONMENT), { write: line => judge(line, surprises) }),
    environment: ENVIRONMENT,
    ...(options.clock && { clock: options.clock }),
  });
  const api = new ApiClient(server.url);
  const checked = checkedFetch(api, error => surprises.push(String(error.stack)));
  return {
    url: server.url,
    api,
    client: new TestClient({ url: server.url, fetch: checked }),
    upstream,
    async stop() {
      // Do not wait for a scripted model that is still waiting.
      if (!options.upstream) await upstream.close();
      await server.stop();
      refuseStoredSecrets(data_dir);
      await dropDatabase(directory.path);
      directory.remove();
      if (surprises.length > 0) throw new Error(`the kernel logged errors:\n${surprises.join('\n')}`);
    },
  };
}

/** Collects log lines that report an error or contain a secret. */
function judge(line: string, surprises: string[]): void {
  try {
    refuseSecrets(line, 'the log');
  } catch (error) {
    surprises.push((error as Error).message);
  }
  const { level, msg, err } = JSON.parse(line);
  if (level >= ERROR) surprises.push(`${msg}: ${err?.stack ?? line}`);
}
