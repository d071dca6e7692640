/** Inspects a Postgres database from outside, and reads a snapshot of it. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { RowReader } from '../tables/check-rows.ts';
import type { Schema } from '../tables/schema.ts';
import type { InspectedDatabase, LookAtRows, ReadDatabase } from './engine.ts';
import { describeDatabase, types } from './postgres-config.ts';
import { isTaken } from './postgres-lock.ts';
import { StoreError } from './store-error.ts';

/** Time limits for connecting. */
const INSPECT_TIMEOUT_MS = 5000;
const READ_TIMEOUT_MS = 15_000;
/** Rows per read. */
const PAGE = 500;

export async function inspectPostgres(url: string, look: LookAtRows): Promise<InspectedDatabase> {
  const config = { connectionString: url, connectionTimeoutMillis: INSPECT_TIMEOUT_MS };
  const name = describeDatabase(config);
  const client = new pg.Client(config);
  // The pending query reports a broken connection; an event without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select to_regclass('meta') is not null as kept");
    const versions = rows[0].kept
      ? (await client.query("select value from meta where key = 'schema_version'")).rows
      : [];
    const size = await client.query('select pg_database_size(current_database()) as size');
    const schema = versions[0] ? Number(versions[0].value) : null;
    return {
      name,
      size: Number(size.rows[0].size),
      schema,
      in_use: await isTaken(client),
      damage: null,
      unreadable: await look(createRowReader(client), schema),
      log_size: null,
    };
  } catch (cause) {
    throw unreachable(name, cause);
  } finally {
    await client.end();
  }
}

/** Reads by a cursor: a long history does not fit into memory. */
const createRowReader = (client: pg.Client): RowReader =>
  async function* read(sql) {
    await client.query('begin read only');
    try {
      await client.query(`declare found no scroll cursor for ${sql}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${PAGE} from found`);
        if (rows.length === 0) return;
        yield* rows;
      }
    } finally {
      await client.query('rollback');
    }
  };

/** @throws StoreError if it cannot be reached */
export async function readPostgres(url: string): Promise<ReadDatabase> {
  const config: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: READ_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'chat-kernel backup',
    types,
  };
  const name = describeDatabase(config);
  const pool = new pg.Pool({ ...config, max: 1 });
  // The pending query reports a broken connection; an event without a listener would end the process.
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
  } catch (cause) {
    await db.destroy();
    throw unreachable(name, cause);
  }
  return {
    name,
    snapshot: work =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: () => db.destroy(),
  };
}

function unreachable(name: string, cause: unknown): StoreError {
  const { message, code } = cause as NodeJS.ErrnoException;
  return new StoreError(`${name} can't be reached: ${message || code}.`, { cause });
}
