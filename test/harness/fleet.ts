/** Several kernels on one real Postgres, each a process with a data directory of its own. */
import { onTestFinished } from 'vitest';
import { type Postgres, startPostgres } from '../../packages/storage/test/postgres.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { temporaryDirectory } from './directory.ts';
import { freePort } from './free-port.ts';
import { type KernelProcess, startKernelProcess } from './process.ts';
import type { Wanted } from './settings.ts';

export interface FleetKernel extends KernelProcess {
  /** The id by which the others know it. */
  id: string;
  /** Of its machine. */
  name: string | undefined;
}

/** What is otherwise than with its fellows. */
interface Other {
  /** Address of the database, to which it goes by another way. */
  database?: string;
  /** The checkout whose program it is. */
  checkout?: string;
  environment?: Record<string, string>;
}

interface TestFleet {
  upstream: Upstream;
  /** The address of the database. */
  database: string;
  /** Starts one more. @param name of its machine */
  start(name?: string, settings?: Wanted, other?: Other): Promise<FleetKernel>;
}

let postgres: Promise<Postgres> | undefined;

/** For the tests of one file, which call `stopPostgres` behind the last of them. */
const server = (): Promise<Postgres> => {
  postgres ??= startPostgres();
  return postgres;
};

export async function stopPostgres(): Promise<void> {
  const started = await postgres;
  // The next file of the same worker starts its own.
  postgres = undefined;
  await started?.stop();
}

/**
 * A database without kernels; all that is started on it ends with the test.
 * @param at its address; default: one of the server of this file's tests
 */
export async function openFleet(upstream?: Upstream, at?: string): Promise<TestFleet> {
  const own = upstream ?? (await startUpstream());
  const database = at ?? (await (await server()).createDatabase());
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
      const directory = temporaryDirectory();
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
