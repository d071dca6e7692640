/** Reads a snapshot of a SQLite database while a kernel may write to it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { Schema } from '../tables/schema.ts';
import type { ReadDatabase } from './engine.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sqlitePath } from './sqlite-path.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { StoreError } from './store-error.ts';

const BUSY_TIMEOUT_MS = 5000;

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
