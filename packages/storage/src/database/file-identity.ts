/** Identifies a file: another one at the same path is not the one that was opened. */
import { type Stats, statSync } from 'node:fs';

export type FileIdentity = Pick<Stats, 'ino' | 'dev'>;

/** Returns what happened to the file at a path since it was opened; undefined if it is the same. */
export function changeOf(path: string, opened: FileIdentity): 'deleted' | 'replaced' | undefined {
  const now = statSync(path, { throwIfNoEntry: false });
  if (now === undefined) return 'deleted';
  return now.ino === opened.ino && now.dev === opened.dev ? undefined : 'replaced';
}
