/** Inspects a database from outside and changes nothing: for `chat-kernel doctor`. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { isLocked } from './database/directory-lock.ts';
import { nameOf } from './database/postgres.ts';
import { isTaken } from './database/postgres-lock.ts';
import { MIGRATIONS } from './migrations/migrate.ts';

export interface StoreState {
  /** The name of the database in errors and in the log; never with a password. */
  name: string;
  /** Bytes; null where the database does not say or is not there yet. */
  size: number | null;
  /** Version of its tables; null: nothing was ever kept in it. */
  schema: number | null;
  /** The version that this code knows. */
  known: number;
  /** Whether a kernel uses it now. */
  in_use: boolean;
  /** The database's own description of its damage; null: it is sound. */
  damage: string | null;
}

const CONNECT_TIMEOUT_MS = 5000;

/** Reads all of a SQLite database, some seconds a gigabyte. @throws Error, a sentence, where it can't be opened or reached */
export const inspectStore = ({ data_dir, url }: { data_dir: string; url: string | null }) =>
  url === null ? inspectSqlite(data_dir) : inspectPostgres(url);

async function inspectSqlite(data_dir: string): Promise<StoreState> {
  const path = join(data_dir, 'chat-kernel.db');
  const state = { name: `The database ${path}`, known: MIGRATIONS.length, in_use: isLocked(data_dir) };
  if (!existsSync(path)) return { ...state, size: null, schema: null, damage: null };
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(addressOf(path), { readOnly: true, timeout: CONNECT_TIMEOUT_MS });
    const found = database.prepare('pragma quick_check(1)').get()?.quick_check;
    const kept = database.prepare("select 1 from sqlite_schema where name = 'meta'").get();
    const row = kept && database.prepare("select value from meta where key = 'schema_version'").get();
    return {
      ...state,
      size: statSync(path).size,
      schema: row ? Number(row.value) : null,
      damage: found === 'ok' ? null : String(found),
    };
  } catch (cause) {
    throw new Error(`${state.name} can't be read: ${(cause as Error).message}.`, { cause });
  } finally {
    database?.close();
  }
}

/**
 * Returns an address that leaves no journal: even a reader makes one beside an idle database, and a journal of another
 * user would keep the kernel out. Without a journal the file alone holds all data, so it may be read as immutable.
 */
function addressOf(path: string): URL {
  const address = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) address.searchParams.set('immutable', '1');
  return address;
}

async function inspectPostgres(url: string): Promise<StoreState> {
  const config = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const name = nameOf(config);
  const client = new pg.Client(config);
  // The query that waits reports a broken connection; an event without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select to_regclass('meta') is not null as kept");
    const versions = rows[0].kept
      ? (await client.query("select value from meta where key = 'schema_version'")).rows
      : [];
    const size = await client.query('select pg_database_size(current_database()) as size');
    return {
      name,
      size: Number(size.rows[0].size),
      schema: versions[0] ? Number(versions[0].value) : null,
      known: MIGRATIONS.length,
      in_use: await isTaken(client),
      damage: null,
    };
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new Error(`${name} can't be reached: ${message || code}.`, { cause });
  } finally {
    await client.end();
  }
}
