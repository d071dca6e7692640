/** The real kernel in the process of the test: composed as the program composes it, on a port of its own. */
import type { Clock } from '@chat-kernel/kernel';
import { type RunningServer, startServer } from '@chat-kernel/server';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { ApiClient } from './client.ts';
import { temporaryDirectory } from './directory.ts';
import { type Kind, parsedSettings, settingsFor, type Wanted } from './settings.ts';

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
  api: ApiClient;
  upstream: Upstream;
  /** Throws where the kernel had logged an error: nothing in these tests may surprise it. */
  stop(): Promise<void>;
}

export async function startKernel(options: KernelOptions = {}): Promise<TestKernel> {
  const upstream = options.upstream ?? (await startUpstream());
  const directory = temporaryDirectory();
  const tree = settingsFor(upstream.url, options.kind ?? 'openai-compatible', options.settings);
  const settings = parsedSettings({
    ...tree,
    data_dir: options.dataDir ?? directory.path,
    ...(options.database !== undefined && { database: { url: options.database } }),
  });
  const surprises: string[] = [];
  const server: RunningServer = await startServer(settings, {
    log: logOf(surprises),
    environment: {},
    ...(options.clock && { clock: options.clock }),
  });
  return {
    url: server.url,
    api: new ApiClient(server.url),
    upstream,
    async stop() {
      // A scripted model that still waits would only be waited for.
      if (!options.upstream) await upstream.close();
      await server.stop();
      directory.remove();
      if (surprises.length > 0) throw new Error(`the kernel logged errors:\n${surprises.join('\n')}`);
    },
  };
}

/** Keeps errors, drops the rest. */
const logOf = (surprises: string[]) => ({
  debug() {},
  info() {},
  warn() {},
  error(facts: { err?: unknown }, sentence: string) {
    const { err } = facts;
    surprises.push(`${sentence}: ${err instanceof Error ? err.stack : JSON.stringify(facts)}`);
  },
});
