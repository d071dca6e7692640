/**
 * Whether a data directory was in use before. An empty database in such a directory is no new one: the old one is gone,
 * and a kernel that began anew there would hide that (SAFE-2).
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESTORE, StoreError } from './store-error.ts';

/** Names the database that the directory was last used with. */
const MARK = 'chat-kernel.used.json';
/** A restore gathers everything in this folder, and takes it away when all is in its place. */
export const UNFINISHED_RESTORE = 'restoring';

/** @param database its name for people */
export function markUsed(directory: string, database: string): void {
  const mark = `${JSON.stringify({ database })}\n`;
  const path = join(directory, MARK);
  if (textOf(path) !== mark) writeFileSync(path, mark, { mode: 0o600 });
}

/** For a database in which nothing was ever kept. @throws StoreError where its directory has been used before */
export function refuseUsed(directory: string, database: string): void {
  const sign = signOfUse(directory);
  if (sign === null) return;
  throw new StoreError(
    `${database} is missing or empty, but its data directory ${directory} has been used before: ${sign}. ` +
      `The kernel does not begin anew there: ${RESTORE}. To move to another database, restore a backup there; ` +
      'to begin anew, name another directory with --data.',
  );
}

/** For a start in SQLite, before the file is made. @throws StoreError as `refuseUsed` */
export function refuseMissingFile(directory: string, path: string): void {
  if (sizeOf(path) === 0) refuseUsed(directory, `The database ${path}`);
}

/** @throws StoreError where a restore has not ended */
export function refuseUnfinishedRestore(directory: string): void {
  if (!namesIn(directory).includes(UNFINISHED_RESTORE)) return;
  throw new StoreError(
    `A restore into ${directory} did not end. Empty the directory (and the database, where that is a server's) and ` +
      'restore the backup again.',
  );
}

/** Returns what tells of an earlier use, in a few words; null: nothing does. */
export function signOfUse(directory: string): string | null {
  const names = namesIn(directory);
  const mark = textOf(join(directory, MARK));
  if (mark !== undefined) return `it was last used with "${nameIn(mark)}"`;
  // Directories of kernels that set no mark yet.
  const filled = ['images', 'files'].find(name => namesIn(join(directory, name)).length > 0);
  if (filled !== undefined) return `it holds ${filled}/`;
  const copy = names.find(name => /^chat-kernel\.db\.before-v\d+$/.test(name));
  if (copy !== undefined) return `it holds ${copy}`;
  const log = 'chat-kernel.db-wal';
  return sizeOf(join(directory, log)) > 0 && sizeOf(join(directory, 'chat-kernel.db')) === 0
    ? `it holds ${log}`
    : null;
}

function nameIn(mark: string): string {
  try {
    return String((JSON.parse(mark) as { database?: unknown }).database);
  } catch {
    // The file tells of a use, whatever has become of its text.
    return 'a database whose name can no longer be read';
  }
}

const namesIn = (directory: string): string[] => unlessMissing(() => readdirSync(directory)) ?? [];
const textOf = (path: string): string | undefined => unlessMissing(() => readFileSync(path, 'utf8'));
/** Bytes; 0 where there is no such file. */
const sizeOf = (path: string): number => unlessMissing(() => statSync(path).size) ?? 0;

function unlessMissing<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
