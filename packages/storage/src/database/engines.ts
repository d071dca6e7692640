/** Opens a database: SQLite in the data directory, or Postgres, which is loaded on demand together with its driver. */
import type { Log } from '@chat-kernel/kernel';
import type { Database } from './database.ts';
import type { InspectedDatabase, LookAtRows, ReadDatabase, StorePlace } from './engine.ts';
import { openSqlite } from './sqlite.ts';
import { inspectSqlite, readSqlite } from './sqlite-outside.ts';

/** @throws Error, a sentence, if it cannot be opened or reached, or if another kernel uses it */
export const openDatabase = async ({ data_dir, url, kernel }: StorePlace, log: Log): Promise<Database> =>
  url === null ? openSqlite(data_dir, log) : (await import('./postgres.ts')).openPostgres(url, log, kernel);

/** Changes nothing. @throws Error, a sentence, if it cannot be opened or reached */
export const inspectDatabase = async (
  { data_dir, url }: StorePlace,
  look: LookAtRows,
): Promise<InspectedDatabase> =>
  url === null
    ? inspectSqlite(data_dir, look)
    : (await import('./postgres-outside.ts')).inspectPostgres(url, look);

/** Blocks no other users of the database. @throws Error, a sentence, if it cannot be opened or reached */
export const readDatabase = async ({ data_dir, url }: StorePlace): Promise<ReadDatabase> =>
  url === null ? readSqlite(data_dir) : (await import('./postgres-outside.ts')).readPostgres(url);
