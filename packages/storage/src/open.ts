/** Opens a store: first the directory's lock, then the database, its migrations, and the store itself. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import { DiskCache } from './bytes/disk-cache.ts';
import { BytePlaces, IN_DATA_DIR, type StoreHome } from './bytes/places.ts';
import type { Database } from './database/database.ts';
import { type DirectoryLock, lockDirectory } from './database/directory-lock.ts';
import { openDatabase } from './database/engines.ts';
import { openInMemory } from './database/sqlite-memory.ts';
import { sqlitePath } from './database/sqlite-path.ts';
import { markUsed, refuseMissingFile, refuseUnfinishedRestore, refuseUsed } from './database/used-before.ts';
import { SqlFleetStore } from './fleet/fleet.ts';
import { migrate, schemaVersion } from './migrations/migrate.ts';
import { SqlStore } from './store.ts';

/** The directory is created if need be. */
export interface StoreOptions extends StoreHome {
  log: Log;
  clock: Clock;
}

/** Where uploaded files lie that lie on this machine, each as `<2 characters>/<id>/<name>`: the only part of the data directory for tools. */
export const filesDirectory = (data_dir: string): string => join(data_dir, 'files');

/**
 * @throws StoreError where the data directory or the database belongs to another kernel, can't be opened or reached, is
 * damaged or of a newer version, or is gone from a directory that was in use (SAFE-2). Nothing stays open then.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { data_dir, url, bytes = IN_DATA_DIR, kernel, log, clock } = options;
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  // Postgres needs it, too: the directory has the journal, the cache, and images and files that lie there.
  const lock = lockDirectory(data_dir);
  let database: Database | undefined;
  try {
    refuseUnfinishedRestore(data_dir);
    // Even to open an empty file would remove the write-ahead log of the old one.
    if (url === null) refuseMissingFile(data_dir, sqlitePath(data_dir));
    database = await openDatabase({ data_dir, url, kernel }, log);
    await prepare(database, data_dir, log);
    const store = new SqlStore({
      database: guarded(database, lock),
      places: {
        images: new BytePlaces('images', options, database.db),
        files: new BytePlaces('files', options, database.db),
      },
      cache: new DiskCache(join(data_dir, 'cache'), bytes.cache_bytes, log),
      log,
      clock,
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

/** An empty store that is gone when it is closed. It takes no bytes, for they would be files. */
export async function openMemoryStore({ log, clock }: Pick<StoreOptions, 'log' | 'clock'>): Promise<Store> {
  const database = openInMemory();
  await migrate(database, log);
  const nowhere = { data_dir: '/dev/null', url: null };
  return new SqlStore({
    database,
    places: {
      images: new BytePlaces('images', nowhere, database.db),
      files: new BytePlaces('files', nowhere, database.db),
    },
    cache: new DiskCache('/dev/null', 0, log),
    log,
    clock,
    release() {},
  });
}

/** Makes or brings forward the tables; one kernel at a time does, where several share the database. */
async function prepare(database: Database, data_dir: string, log: Log): Promise<void> {
  const work = async () => {
    if ((await schemaVersion(database)) === 0) refuseUsed(data_dir, database.name);
    await migrate(database, log);
  };
  await (database.sharing ? database.sharing.alone(work) : work());
  markUsed(data_dir, database.name);
}

/** The database as long as this process has the directory. */
function guarded(database: Database, lock: DirectoryLock): Database {
  return {
    ...database,
    checkOwned() {
      lock.check();
      database.checkOwned();
    },
  };
}
