/** Starts kernels that share a database, or that do not. */
import type { PostgresServer } from '../packages/storage/test/postgres.ts';
import { freePort } from '../test/harness/free-port.ts';
import { KernelHome } from './kernel.ts';
import type { Program } from './process.ts';
import type { Rig } from './rig.ts';

export interface Fleet {
  kernels: number;
  /** Whether each kernel has its own database: what several processes cost without sharing anything. */
  apart?: true;
}

/** Starts kernels on a new database while `use` runs. */
export async function withFleet(
  rig: Rig,
  server: PostgresServer,
  fleet: Fleet,
  use: (kernels: Program[], database: string) => Promise<void>,
): Promise<void> {
  const first = await server.createDatabase();
  const homes: KernelHome[] = [];
  const kernels: Program[] = [];
  try {
    for (let n = 0; n < fleet.kernels; n++) {
      const database = n > 0 && fleet.apart ? await server.createDatabase() : first;
      const home = new KernelHome(rig.upstream.url, rig.programs.kernel, {
        database,
        port: await freePort(),
      });
      homes.push(home);
      kernels.push(await home.start());
    }
    await use(kernels, first);
  } finally {
    for (const kernel of kernels) await kernel.stop();
    for (const home of homes) home.remove();
  }
}
