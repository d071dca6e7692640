/** SQLite in memory: it never writes to a disk, and is deleted when it is closed. */
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Schema } from '../tables/schema.ts';
import type { Database } from './database.ts';
import { listed, sqliteDialect } from './sqlite-dialect.ts';
import { SqliteExecutor } from './sqlite-executor.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { SqliteWriter } from './sqlite-writer.ts';

export function openInMemory(): Database {
  // Another connection would have a separate database.
  const connection = new DatabaseSync(':memory:');
  const writer = new SqliteWriter(new SqliteExecutor(connection));
  const db = new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(connection), () => writer) });
  return {
    name: 'A database in memory',
    db,
    keyType: 'text',
    search: sqliteSearch,
    listed,
    call: ({ work }, args) =>
      db.transaction().execute(transaction => work(transaction, sqliteSearch, ...args)),
    checkOwned() {},
    async probe() {},
    copyBefore: async () => null,
    logSize: () => 0,
    async tidy() {},
    close: () => writer.close(),
  };
}
