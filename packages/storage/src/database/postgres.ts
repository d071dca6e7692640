/** Postgres with `pg`: a pool for the queries, and a separate connection that holds the lock. */
import { randomInt } from 'node:crypto';
import { Socket } from 'node:net';
import type { Log } from '@chat-kernel/kernel';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Schema } from '../tables/schema.ts';
import type { Database, SharingKernel } from './database.ts';
import { describeDatabase, types } from './postgres-config.ts';
import { heldByPool, PostgresLock } from './postgres-lock.ts';
import { postgresSearch } from './postgres-search.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 15_000;
/**
 * The server rolls back a transaction whose kernel is silent for this time. Otherwise the locks of a machine that
 * vanished would block its chats and the daily spend for all kernels (FLEET-3).
 */
const LONGEST_SILENCE = "set idle_in_transaction_session_timeout = '3s'";
/** Upper limit for the numbers of kernels: a lock key has 31 bits for them. */
const BOOTS = 2 ** 31;

/** Throws if the URL is invalid, the server cannot be reached, or another kernel uses the database. */
export async function openPostgres(
  url: string,
  log: Log,
  kernel: SharingKernel | undefined,
): Promise<Database> {
  const sockets = new Set<Socket>();
  const config: pg.ClientConfig = {
    connectionString: url,
    stream: () => trackSocket(new Socket(), sockets),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'chat-kernel',
    types,
  };
  const name = describeDatabase(config);
  const boot = kernel && randomInt(BOOTS);
  // Requests to a silent server fail, and are repeated once it responds.
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const lock = await PostgresLock.take({ connect: () => new pg.Client(config), breakAll }, name, log, boot);
  const pool = new pg.Pool({ ...config, max: POOL_SIZE });
  // A broken connection fails its query, or is replaced when idle; an event without a listener would end the process.
  const heard = (error: Error) => log.warn({ error }, 'A connection to Postgres broke.');
  pool.on('error', heard);
  pool.on('connect', client => {
    client.on('error', heard);
    // Sent first on each connection. If it fails, the next query fails as well.
    if (boot !== undefined) client.query(`${LONGEST_SILENCE}; ${heldByPool(boot)}`).catch(heard);
  });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    name,
    db,
    // Sorts by bytes, as SQLite does, regardless of the database's language.
    keyType: sql`text collate "C"`,
    search: postgresSearch,
    listed: values => sql`(select place - 1 as place, value
      from unnest(${values}::text[]) with ordinality as list (value, place))`,
    checkOwned: () => lock.check(),
    probe: async () => {},
    sharing: kernel && {
      ...kernel,
      boot: boot as number,
      sessions: () => lock.sessions,
      onHint: (what, callback) => lock.onHint(what, callback),
      alone: work => lock.alone(work),
    },
    copyBefore: async () => null,
    logSize: () => 0,
    tidy: async () => {},
    async close() {
      await db.destroy();
      await lock.release();
    },
  };
}

function trackSocket(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}
