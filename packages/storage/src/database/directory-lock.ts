/**
 * A single process owns a data directory. The lock is a transaction that never ends, in a small SQLite file of
 * its own: the operating system's lock under it goes away with the process, however that ends.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from './private-file.ts';

/** Returns a function that gives the directory back. Throws where another kernel uses it. */
export function lockDirectory(directory: string): () => void {
  const path = lockOf(directory);
  createPrivateFile(path);
  const lock = new DatabaseSync(path);
  try {
    // The file is never written, so it needs no journal beside it.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new Error(`Another kernel uses this data directory: ${directory}.`, { cause });
  }
  return () => lock.close();
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

const lockOf = (directory: string): string => join(directory, 'chat-kernel.lock');
const SQLITE_BUSY = 5;
