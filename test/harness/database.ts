/**
 * Chooses the database of kernels and stores in tests: SQLite in their data directory, or, if DATABASE=postgres, a
 * database of the Postgres that all files share. vitest.config.ts lists the files that run with both.
 */
import type { Postgres } from '../../packages/storage/test/postgres.ts';

export const ON_POSTGRES = process.env.DATABASE === 'postgres';

let postgres: Promise<Postgres> | undefined;
/** Data directory → the address of its database. */
const addresses = new Map<string, Promise<string>>();

/** Returns the address of the database of a run on Postgres that belongs to a data directory; undefined on SQLite. */
export const ownDatabase = async (dataDir: string): Promise<string | undefined> =>
  ON_POSTGRES ? databaseOf(dataDir) : undefined;

/** Returns the address of the Postgres database that belongs to a data directory, which the first call creates. */
export function databaseOf(dataDir: string): Promise<string> {
  const address = addresses.get(dataDir) ?? create();
  addresses.set(dataDir, address);
  return address;
}

/** Drops the database of a data directory. */
export async function dropDatabase(dataDir: string): Promise<void> {
  const address = addresses.get(dataDir);
  addresses.delete(dataDir);
  if (address !== undefined) await (await postgres)?.dropDatabase(await address);
}

/** Drops what the tests of a file have left. The setup of all tests (scripts/test/setup.ts) calls it after each file. */
export async function dropDatabases(): Promise<void> {
  for (const dataDir of addresses.keys()) await dropDatabase(dataDir);
}

async function create(): Promise<string> {
  postgres ??= import('../../packages/storage/test/postgres.ts').then(module => module.startPostgres());
  return (await postgres).createDatabase();
}
