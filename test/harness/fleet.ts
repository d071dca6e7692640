/** Runs several kernels on one real Postgres, each as a process with its own data directory. */
import { onTestFinished } from 'vitest';
import { type Postgres, startPostgres } from '../../packages/storage/test/postgres.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { temporaryDirectory } from './directory.ts';
import { freePort } from './free-port.ts';
import { inMemory } from './in-memory.ts';
import { type KernelProcess, startKernelProcess } from './process.ts';
import type { Wanted } from './settings.ts';

export interface FleetKernel extends KernelProcess {
  /** The id by which the other kernels know it. */
  id: string;
  /** The name of its machine. */
  name: string | undefined;
}

/** How one kernel differs from the others. */
interface Other {
  /** Address of the database, if this kernel connects through a proxy. */
  database?: string;
  /** The checkout whose program runs. */
  checkout?: string;
  environment?: Record<string, string>;
}

interface TestFleet {
  upstream: Upstream;
  /** The address of the database. */
  database: string;
  /** Starts another kernel. @param name of its machine */
  start(name?: string, settings?: Wanted, other?: Other): Promise<FleetKernel>;
}

let postgres: Promise<Postgres> | undefined;

/** A server for the tests of one file, which call `stopPostgres` after the last test. */
const server = (): Promise<Postgres> => {
  postgres ??= startPostgres();
  return postgres;
};

/** Creates a database for `openFleet`. */
export const newDatabase: Postgres['createDatabase'] = async options =>
  (await server()).createDatabase(options);

export async function stopPostgres(): Promise<void> {
  const started = await postgres;
  // The next file in the same worker starts its own.
  postgres = undefined;
  await started?.stop();
}

/**
 * Opens a database without kernels. Everything that is started on it ends with the test.
 * @param at address of the database; default: a new one
 */
export async function openFleet(upstream?: Upstream, at?: string): Promise<TestFleet> {
  const own = upstream ?? (await startUpstream());
  const database = at ?? (await newDatabase());
  const kernels: FleetKernel[] = [];
  const directories: (() => void)[] = [];
  onTestFinished(async () => {
    if (!upstream) await own.close();
    await Promise.all(kernels.map(kernel => kernel.kill()));
    for (const remove of directories) remove();
  });
  return {
    upstream: own,
    database,
    async start(name, settings = {}, other = {}) {
      const directory = temporaryDirectory(inMemory());
      directories.push(directory.remove);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const server = { port, advertise_url: url, ...(name !== undefined && { name }), ...settings.server };
      const process = await startKernelProcess({
        upstream: own,
        database,
        ...other,
        dataDir: directory.path,
        port,
        settings: { ...settings, server },
      });
      const id = (await process.api.get('/healthz')).headers['x-kernel'] as string;
      const kernel = Object.assign(process, { id, name });
      kernels.push(kernel);
      return kernel;
    },
  };
}
