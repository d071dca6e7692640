/** Names, identifies and creates the file of a SQLite database. */
import { closeSync, openSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Identifies a file: another one at the same path is not the one that was opened. */
export type FileIdentity = Pick<Stats, 'ino' | 'dev'>;

/** Returns what happened to the file at a path since it was opened; undefined if it is the same. */
export function changeOf(path: string, opened: FileIdentity): 'deleted' | 'replaced' | undefined {
  const now = statSync(path, { throwIfNoEntry: false });
  if (now === undefined) return 'deleted';
  return now.ino === opened.ino && now.dev === opened.dev ? undefined : 'replaced';
}

/**
 * Creates an empty file unless it exists. An existing file is not even opened: closing it again would release the locks
 * that this process holds on it (a rule of POSIX).
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export const sqlitePath = (data_dir: string): string => join(data_dir, 'chat-kernel.db');
