/**
 * Detects whether a data directory was used before. If so, an empty database there is not new: the old one is missing,
 * and a kernel that started from scratch would hide this (SAFE-2).
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESTORE, StoreError } from './store-error.ts';

/** Contains the name of the database that the directory was last used with. */
const MARK = 'chat-kernel.used.json';
/** A restore collects everything in this folder, and removes it when everything is in its final location. */
export const UNFINISHED_RESTORE = 'restoring';

/** @param database name for users */
export function markUsed(directory: string, database: string): void {
  const mark = `${JSON.stringify({ database })}\n`;
  const path = join(directory, MARK);
  if (readTextIfExists(path) !== mark) writeFileSync(path, mark, { mode: 0o600 });
}

/** Checks the directory of a database that was never used. @throws StoreError if the directory has been used before */
export function refuseUsed(directory: string, database: string): void {
  const sign = signOfUse(directory);
  if (sign === null) return;
  throw new StoreError(
    `${database} is missing or empty, but its data directory ${directory} has been used before: ${sign}. ` +
      `The kernel does not begin anew there: ${RESTORE}. To move to another database, restore a backup there; ` +
      'to begin anew, name another directory with --data.',
  );
}

/** Checks before the SQLite file is created. @throws StoreError like `refuseUsed` */
export function refuseMissingFile(directory: string, path: string): void {
  if (fileSize(path) === 0) refuseUsed(directory, `The database ${path}`);
}

/** @throws StoreError if a restore has not finished */
export function refuseUnfinishedRestore(directory: string): void {
  if (!namesIn(directory).includes(UNFINISHED_RESTORE)) return;
  throw new StoreError(
    `A restore into ${directory} did not end. Empty the directory (and the database, where that is a server's) and ` +
      'restore the backup again.',
  );
}

/** Returns a short description of the sign of an earlier use; null if there is none. */
export function signOfUse(directory: string): string | null {
  const names = namesIn(directory);
  const mark = readTextIfExists(join(directory, MARK));
  if (mark !== undefined) return `it was last used with "${nameIn(mark)}"`;
  // For directories of kernels that set no mark yet.
  const filled = ['images', 'files'].find(name => namesIn(join(directory, name)).length > 0);
  if (filled !== undefined) return `it holds ${filled}/`;
  const copy = names.find(name => /^chat-kernel\.db\.before-v\d+$/.test(name));
  if (copy !== undefined) return `it holds ${copy}`;
  const log = 'chat-kernel.db-wal';
  return fileSize(join(directory, log)) > 0 && fileSize(join(directory, 'chat-kernel.db')) === 0
    ? `it holds ${log}`
    : null;
}

function nameIn(mark: string): string {
  try {
    return String((JSON.parse(mark) as { database?: unknown }).database);
  } catch {
    // The file shows an earlier use even if its content is unreadable.
    return 'a database whose name can no longer be read';
  }
}

const namesIn = (directory: string): string[] => unlessMissing(() => readdirSync(directory)) ?? [];
const readTextIfExists = (path: string): string | undefined =>
  unlessMissing(() => readFileSync(path, 'utf8'));
/** Returns the size in bytes; 0 if there is no such file. */
const fileSize = (path: string): number => unlessMissing(() => statSync(path).size) ?? 0;

function unlessMissing<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
