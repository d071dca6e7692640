/**
 * A single process owns a data directory. The lock is a transaction that never ends, in a small SQLite file of
 * its own: the operating system's lock under it goes away with the process, however that ends.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './private-file.ts';
import { sameFile } from './same-file.ts';
import { sqlitePath } from './sqlite-path.ts';
import { StoreError } from './store-error.ts';

export interface DirectoryLock {
  /** Throws KernelError storage_unavailable where the lock was deleted: another kernel could take the directory. */
  check(): void;
  release(): void;
}

/** @throws StoreError where another kernel uses the directory */
export function lockDirectory(directory: string): DirectoryLock {
  const path = lockOf(directory);
  if (!existsSync(path) && isOpenElsewhere(sqlitePath(directory))) {
    throw new StoreError(
      `Another kernel uses this data directory: ${directory}. Its lock file was deleted; stop that kernel before you ` +
        'start one again.',
    );
  }
  createPrivateFile(path);
  const lock = new DatabaseSync(path);
  try {
    // The file is never written, so it needs no journal beside it.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new StoreError(`Another kernel uses this data directory: ${directory}.`, { cause });
  }
  return { check: sameFile(path), release: () => lock.close() };
}

/** Whether a kernel uses the directory now. */
export function isLocked(directory: string): boolean {
  if (!existsSync(lockOf(directory))) return false;
  const lock = new DatabaseSync(lockOf(directory), { readOnly: true });
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
 * Whether any process has the database open. For the case that the lock file is missing, though a directory with a
 * database has one: people delete such files because they look stale, and the kernel that holds it may still run. Other
 * readers count too, so this is no lock by itself.
 */
function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path);
  try {
    // Every connection shares a lock on the file as long as it is open; this mode wants it alone.
    database.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
    return false;
  } catch (cause) {
    // Damage is told by the open that follows.
    return (cause as { errcode?: number }).errcode === SQLITE_BUSY;
  } finally {
    database.close();
  }
}

const lockOf = (directory: string): string => join(directory, 'chat-kernel.lock');
const SQLITE_BUSY = 5;
