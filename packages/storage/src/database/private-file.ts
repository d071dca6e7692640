/** Creates files that only their owner may read. */
import { closeSync, openSync } from 'node:fs';

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
