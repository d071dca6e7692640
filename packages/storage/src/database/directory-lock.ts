/**
 * Ensures that only one process uses a data directory. The lock is a transaction that never ends, in a small separate
 * SQLite file: the operating system releases it when the process ends, for any reason.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { changeOf, createPrivateFile, type FileIdentity, sqlitePath } from './database-file.ts';
import { StoreError } from './store-error.ts';
import { storageUnavailable } from './unavailable.ts';

export interface DirectoryLock {
  /** Throws KernelError storage_unavailable if the lock file was deleted: another kernel could lock the directory. */
  check(): void;
  release(): void;
}

/** @throws StoreError if another kernel uses the directory */
export function lockDirectory(directory: string): DirectoryLock {
  const path = lockPath(directory);
  if (!existsSync(path) && isOpenElsewhere(sqlitePath(directory))) {
    throw new StoreError(
      `Another kernel uses this data directory: ${directory}. Its lock file was deleted; stop that kernel before you ` +
        'start one again.',
    );
  }
  createPrivateFile(path);
  const lock = new DatabaseSync(path);
  try {
    // The file is never written, so it needs no journal file.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new StoreError(`Another kernel uses this data directory: ${directory}.`, { cause });
  }
  return { check: sameFile(path), release: () => lock.close() };
}

/** True if a kernel uses the directory now. */
export function isLocked(directory: string): boolean {
  if (!existsSync(lockPath(directory))) return false;
  const lock = new DatabaseSync(lockPath(directory), { readOnly: true });
  try {
    lock.prepare('select 1 from sqlite_schema').get();
    return false;
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    return true;
  } finally {
    lock.close();
  }
}

/**
 * True if any process has the database open. Used if the lock file is missing although the directory has a database:
 * users delete such files because they look stale, and the kernel that holds it may still run. Other readers count too,
 * so this check does not replace the lock.
 */
function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path);
  try {
    // Every connection holds a shared lock on the file while it is open; this mode requires exclusive access.
    database.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
    return false;
  } catch (cause) {
    // The subsequent open reports damage.
    return (cause as { errcode?: number }).errcode === SQLITE_BUSY;
  } finally {
    database.close();
  }
}

const lockPath = (directory: string): string => join(directory, 'chat-kernel.lock');
const SQLITE_BUSY = 5;

/**
 * Returns a check that throws KernelError storage_unavailable once the file was deleted, replaced or unmounted.
 * @param opened the file that was opened
 */
export function sameFile(path: string, opened: FileIdentity = statSync(path)): () => void {
  return () => {
    const change = changeOf(path, opened);
    if (change) throw storageUnavailable(`${path} was ${change} while the kernel ran; start it again`);
  };
}
