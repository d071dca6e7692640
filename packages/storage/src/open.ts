/** Opens a store: first the directory's lock, then the database, its migrations, and the store itself. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '@chat-kernel/kernel';
import { ByteBackends, IN_DATA_DIR, type StoreHome } from './bytes/backends.ts';
import { DiskCache } from './bytes/disk-cache.ts';
import type { Database } from './database/database.ts';
import { sqlitePath } from './database/database-file.ts';
import { type DirectoryLock, lockDirectory } from './database/directory-lock.ts';
import { openDatabase } from './database/engines.ts';
import { markUsed, refuseMissingFile, refuseUnfinishedRestore, refuseUsed } from './database/used-before.ts';
import { SqlFleetStore } from './fleet/fleet.ts';
import { migrate, schemaVersion } from './migrations/migrate.ts';
import { SqlStore } from './store.ts';
import type { StoreHooks } from './store-hooks.ts';

/** The directory is created if needed. */
export interface StoreOptions extends StoreHome {
  log: Log;
  clock: Clock;
  /** Absent: there are no features. */
  hooks?: readonly StoreHooks[];
}

/**
 * Returns the directory of uploaded files on this machine, each at `<2 characters>/<id>/<name>`: the only part of the
 * data directory for tools.
 */
export const filesDirectory = (data_dir: string): string => join(data_dir, 'files');

/**
 * @throws StoreError if the data directory or the database is used by another kernel, cannot be opened or reached, is
 * damaged or of a newer version, or is missing from a directory that was in use (SAFE-2). Nothing stays open then.
 */
export async function openStore(options: StoreOptions): Promise<SqlStore> {
  const { data_dir, url, bytes = IN_DATA_DIR, kernel, log, clock, hooks = [] } = options;
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  // Postgres needs it, too: the directory contains the journal, the cache, and local images and files.
  const lock = lockDirectory(data_dir);
  let database: Database | undefined;
  try {
    refuseUnfinishedRestore(data_dir);
    // Even opening an empty file would remove the write-ahead log of the old one.
    if (url === null) refuseMissingFile(data_dir, sqlitePath(data_dir));
    database = await openDatabase({ data_dir, url, kernel }, log);
    await prepare(database, data_dir, log);
    const store = new SqlStore({
      database: guarded(database, lock),
      places: {
        images: new ByteBackends('images', options, database.db),
        files: new ByteBackends('files', options, database.db),
      },
      cache: new DiskCache(join(data_dir, 'cache'), bytes.cache_bytes, log),
      log,
      clock,
      hooks,
      release: lock.release,
      fleet: database.sharing && (await SqlFleetStore.join(database, database.sharing, data_dir)),
    });
    await store.start();
    return store;
  } catch (error) {
    await database?.close();
    lock.release();
    throw error;
  }
}

/** Creates or migrates the tables; one kernel at a time does this if several share the database. */
async function prepare(database: Database, data_dir: string, log: Log): Promise<void> {
  const work = async () => {
    if ((await schemaVersion(database)) === 0) refuseUsed(data_dir, database.name);
    await migrate(database, log);
  };
  await (database.sharing ? database.sharing.alone(work) : work());
  markUsed(data_dir, database.name);
}

/** Restricts the database to the time in which this process holds the directory. */
function guarded(database: Database, lock: DirectoryLock): Database {
  return {
    ...database,
    checkOwned() {
      lock.check();
      database.checkOwned();
    },
  };
}
