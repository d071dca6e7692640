/** Opens a store: first the directory's lock, then the database, its migrations, and the store itself. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import { ByteFiles } from './bytes/byte-files.ts';
import type { Database } from './database/database.ts';
import { lockDirectory } from './database/directory-lock.ts';
import type { StorePlace } from './database/engine.ts';
import { openDatabase } from './database/engines.ts';
import { migrate } from './migrations/migrate.ts';
import { SqlStore } from './store.ts';

/** The directory is created if need be. */
export interface StoreOptions extends StorePlace {
  log: Log;
  clock: Clock;
}

/** Where uploaded files lie, each as `<2 characters>/<id>/<name>`: the only part of the data directory for tools. */
export const filesDirectory = (data_dir: string): string => join(data_dir, 'files');

/**
 * Throws an Error with a sentence for people where the data directory or the database belongs to another
 * kernel, can't be opened or reached, or is of a newer version. Nothing stays open then.
 */
export async function openStore({ data_dir, url, log, clock }: StoreOptions): Promise<Store> {
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  // Postgres needs it, too: images and files are in the directory.
  const release = lockDirectory(data_dir);
  let database: Database | undefined;
  try {
    database = await openDatabase({ data_dir, url }, log);
    await migrate(database, log);
    const images = new ByteFiles(join(data_dir, 'images'));
    const files = new ByteFiles(filesDirectory(data_dir));
    const store = new SqlStore({ database, images, files, log, clock, release });
    await store.start();
    return store;
  } catch (error) {
    await database?.close();
    release();
    throw error;
  }
}
