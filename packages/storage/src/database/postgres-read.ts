/** Reads a snapshot of a Postgres database from outside. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Schema } from '../tables/schema.ts';
import { describeDatabase } from './describe-database.ts';
import type { ReadDatabase } from './engine.ts';
import { types } from './postgres-types.ts';
import { StoreError } from './store-error.ts';

const CONNECT_TIMEOUT_MS = 15_000;

/** @throws StoreError if it cannot be reached */
export async function readPostgres(url: string): Promise<ReadDatabase> {
  const config: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new StoreError(`${name} can't be reached: ${message || code}.`, { cause });
  }
  return {
    name,
    snapshot: work =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: () => db.destroy(),
  };
}
