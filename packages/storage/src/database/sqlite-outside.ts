/** Inspects a SQLite database from outside, and reads a snapshot of it while a kernel may write to it. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely, sql } from 'kysely';
import type { RowReader } from '../tables/check-rows.ts';
import type { Schema } from '../tables/schema.ts';
import { sqlitePath } from './database-file.ts';
import { isLocked } from './directory-lock.ts';
import type { InspectedDatabase, LookAtRows, ReadDatabase } from './engine.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { StoreError } from './store-error.ts';

const BUSY_TIMEOUT_MS = 5000;
/** Maximum number of reported errors. */
const MAX_ERRORS = 10;

export async function inspectSqlite(data_dir: string, look: LookAtRows): Promise<InspectedDatabase> {
  const path = sqlitePath(data_dir);
  const state = {
    name: `The database ${path}`,
    in_use: isLocked(data_dir),
    log_size: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? null,
  };
  if (!existsSync(path)) return { ...state, size: null, schema: null, damage: null, unreadable: [] };
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(toReadOnlyUrl(path), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    // The quick check does not compare tables with their indexes.
    const found = database
      .prepare(`pragma integrity_check(${MAX_ERRORS})`)
      .all()
      .map(({ integrity_check }) => String(integrity_check));
    const damage = found.length === 1 && found[0] === 'ok' ? null : found.join('; ');
    const kept = database.prepare("select 1 from sqlite_schema where name = 'meta'").get();
    const row = kept && database.prepare("select value from meta where key = 'schema_version'").get();
    const schema = row ? Number(row.value) : null;
    const unreadable = damage === null ? await look(createRowReader(database), schema) : [];
    return { ...state, size: statSync(path).size, schema, damage, unreadable };
  } catch (cause) {
    throw new Error(`${state.name} can't be read: ${(cause as Error).message}.`, { cause });
  } finally {
    database?.close();
  }
}

const createRowReader = (database: DatabaseSync): RowReader =>
  async function* read(sql) {
    yield* database.prepare(sql).iterate();
  };

/**
 * Returns an address that creates no journal: even a reader creates one next to an idle database, and a journal of
 * another user would block the kernel. Without a journal, the file contains all data, so it can be read as immutable.
 */
function toReadOnlyUrl(path: string): URL {
  const address = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) address.searchParams.set('immutable', '1');
  return address;
}

/** @throws StoreError if there is none, or it cannot be opened */
export function readSqlite(data_dir: string): ReadDatabase {
  const path = sqlitePath(data_dir);
  const name = `The database ${path}`;
  if (!existsSync(path)) throw new StoreError(`${name} is not there.`);
  let connection: DatabaseSync | undefined;
  try {
    // Also reads the kernel's write-ahead log, for which SQLite must be able to write next to the file.
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    connection.exec('pragma query_only = on');
  } catch (cause) {
    connection?.close();
    throw new StoreError(`${name} can't be opened: ${(cause as Error).message}.`, { cause });
  }
  const reader = connection;
  const db = new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(reader)) });
  return {
    name,
    snapshot: work =>
      db.connection().execute(async session => {
        // A reader in its own transaction sees the state at its first read, and blocks no writer.
        await sql`begin deferred`.execute(session);
        try {
          return await work(session);
        } finally {
          await sql`rollback`.execute(session);
        }
      }),
    close: async () => reader.close(),
  };
}
