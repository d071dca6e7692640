/** Postgres by `pg`: a pool for the queries, and a connection of its own that holds the lock. */
import { randomInt } from 'node:crypto';
import { Socket } from 'node:net';
import type { Log } from '@chat-kernel/kernel';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Schema } from '../tables/schema.ts';
import type { Database, SharingKernel } from './database.ts';
import type { Engine } from './engine.ts';
import { inspectPostgres } from './postgres-inspect.ts';
import { heldByPool, PostgresLock } from './postgres-lock.ts';
import { nameOf } from './postgres-name.ts';
import { readPostgres } from './postgres-read.ts';
import { postgresSearch } from './postgres-search.ts';
import { types } from './postgres-types.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 15_000;
/**
 * A transaction whose kernel says nothing for so long is undone by the server: its locks would keep the chats of a
 * machine that vanished from everybody, and the books of the day from all (FLEET-3).
 */
const LONGEST_SILENCE = "set idle_in_transaction_session_timeout = '3s'";
/** The numbers of kernels are below this: a lock has room for no more. */
const BOOTS = 2 ** 31;

export const postgres: Engine<string> = {
  open: ({ url, kernel }, log) => openPostgres(url, log, kernel),
  inspect: ({ url }) => inspectPostgres(url),
  read: ({ url }) => readPostgres(url),
};

/** Throws where the URL makes no sense, the server can't be reached, or another kernel uses the database. */
async function openPostgres(url: string, log: Log, kernel: SharingKernel | undefined): Promise<Database> {
  const sockets = new Set<Socket>();
  const config: pg.ClientConfig = {
    connectionString: url,
    stream: () => kept(new Socket(), sockets),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'chat-kernel',
    types,
  };
  const name = nameOf(config);
  const boot = kernel && randomInt(BOOTS);
  // What waits for a server that is silent fails, and is asked again of one that answers.
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
    // Sent first on each connection. Where it fails, so does what comes next.
    if (boot !== undefined) client.query(`${LONGEST_SILENCE}; ${heldByPool(boot)}`).catch(heard);
  });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    name,
    db,
    // Sorts by bytes, as SQLite does, whatever the language of the database.
    keyType: sql`text collate "C"`,
    search: postgresSearch,
    listed: values => sql`(select place - 1 as place, value
      from unnest(${values}::text[]) with ordinality as list (value, place))`,
    call: ({ work }, args) =>
      db.transaction().execute(transaction => work(transaction, postgresSearch, ...args)),
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
    tidy: async () => {},
    async close() {
      await db.destroy();
      await lock.release();
    },
  };
}

function kept(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}
