/** The real kernel in the process of the test: composed as the program composes it, on a port of its own. */
import type { Clock } from '@chat-kernel/kernel';
import { type RunningServer, startServer } from '@chat-kernel/server';
import { secretsOf } from '../../packages/server/src/settings/secrets.ts';
import { openLog } from '../../packages/server/src/start/log.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { checkedFetch } from './checked-fetch.ts';
import { ApiClient } from './client.ts';
import { temporaryDirectory } from './directory.ts';
import { TestClient } from './kernel-client.ts';
import { ENVIRONMENT, refuseSecrets, refuseStoredSecrets, withSecrets } from './secrets.ts';
import { type Kind, parsedSettings, settingsFor, type Wanted } from './settings.ts';

/** As pino numbers it. */
const ERROR = 50;

export interface KernelOptions {
  /** Default: one of its own, which stops with the kernel. */
  upstream?: Upstream;
  /** The wire between kernel and upstream; default openai-compatible. */
  kind?: Kind;
  settings?: Wanted;
  /** Default: one of its own, which is removed with the kernel. */
  dataDir?: string;
  /** postgres://..., default SQLite in the data directory. */
  database?: string;
  /** Default: the real one. */
  clock?: Clock;
}

export interface TestKernel {
  url: string;
  /** For what is pinned byte by byte, and for what a good client would not do. */
  api: ApiClient;
  /** The client that everybody uses; what it gets is held against the document too. */
  client: TestClient;
  upstream: Upstream;
  /** Throws where the kernel has logged an error, as nothing in these tests may surprise it, or kept a secret (API-7). */
  stop(): Promise<void>;
}

export async function startKernel(options: KernelOptions = {}): Promise<TestKernel> {
  const upstream = options.upstream ?? (await startUpstream());
  const directory = temporaryDirectory();
  const data_dir = options.dataDir ?? directory.path;
  const tree = settingsFor(upstream.url, options.kind ?? 'openai-compatible', options.settings);
  const settings = parsedSettings({
    ...withSecrets(tree, { named: false }),
    data_dir,
    ...(options.database !== undefined && { database: { url: options.database } }),
  });
  const surprises: string[] = [];
  const server: RunningServer = await startServer(settings, {
    log: openLog('debug', secretsOf(settings, ENVIRONMENT), { write: line => judge(line, surprises) }),
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
      // A scripted model that still waits would only be waited for.
      if (!options.upstream) await upstream.close();
      await server.stop();
      refuseStoredSecrets(data_dir);
      directory.remove();
      if (surprises.length > 0) throw new Error(`the kernel logged errors:\n${surprises.join('\n')}`);
    },
  };
}

/** Keeps lines that tell of an error, and those that tell a secret. */
function judge(line: string, surprises: string[]): void {
  try {
    refuseSecrets(line, 'the log');
  } catch (error) {
    surprises.push((error as Error).message);
  }
  const { level, msg, err } = JSON.parse(line);
  if (level >= ERROR) surprises.push(`${msg}: ${err?.stack ?? line}`);
}
