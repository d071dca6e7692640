/** Opens a store: the directory's lock, the database, its migrations, then the store itself. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import type { Database } from './database.ts';
import { ImageFiles } from './image-files.ts';
import { lockDirectory } from './lock.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { SqlStore } from './store.ts';

export interface StoreOptions {
  /** Made if need be. Holds the SQLite database, and the images whatever the database. */
  data_dir: string;
  /** postgres://..., or null for SQLite. */
  url: string | null;
  log: Log;
  clock: Clock;
}

/**
 * Throws an Error with a sentence for people where the data directory or the database belongs to another
 * kernel, can't be opened or reached, or is of a newer version. Nothing stays open then.
 */
export async function openStore({ data_dir, url, log, clock }: StoreOptions): Promise<Store> {
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  // Also with Postgres: the images are in the directory.
  const release = lockDirectory(data_dir);
  let database: Database | undefined;
  try {
    database = url === null ? openSqlite(data_dir, log) : await openPostgres(url, log);
    await migrate(database, log);
    const files = new ImageFiles(join(data_dir, 'images'));
    const store = new SqlStore({ database, files, log, clock, release });
    await store.start();
    return store;
  } catch (error) {
    await database?.close();
    release();
    throw error;
  }
}
