/**
 * Chooses where tests store databases: no test needs them after a power cut, and syncing to disk takes most of the
 * time.
 */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A smaller file system, such as the 64 MB of a container, cannot hold the databases of a run. */
const MIN_BYTES = 2 * 2 ** 30;

/**
 * Returns a folder on a file system in memory with space for databases; on other systems the temporary folder.
 * @param memory the folder of this run (scripts/test/memory.ts); a program outside of a run uses that of the system
 */
export function inMemory(memory = process.env.TEST_MEMORY ?? '/dev/shm', minBytes = MIN_BYTES): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= minBytes) return memory;
  } catch {
    // This system has none.
  }
  return tmpdir();
}
