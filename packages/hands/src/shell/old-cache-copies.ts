/** Selects the copies of caches to delete: unused ones, and the oldest ones if all take too much space. */
import { lstat, opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

export interface CacheLimits {
  /** Copies that were not used for this time are deleted. */
  days: number;
  /** The maximum size of all copies. */
  bytes: number;
}

export const CACHE_LIMITS: CacheLimits = { days: 30, bytes: 10_000_000_000 };

/** The copies of one working directory. */
interface Copies {
  name: string;
  /** The time of the last command. */
  used: number;
}

/**
 * Returns the names of the directories to delete, each with the copies of one working directory.
 * @param directory where the copies are stored; it may not exist
 */
export async function listOldCopies(
  directory: string,
  { days, bytes }: CacheLimits,
  now = Date.now(),
): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const all = await Promise.all(
    names.map(
      async (name): Promise<Copies> => ({ name, used: (await lstat(join(directory, name))).mtimeMs }),
    ),
  );
  const old: string[] = [];
  let total = 0;
  for (const { name, used } of all.sort((a, b) => b.used - a.used)) {
    // Their size counts only as far as it matters.
    if (now - used > days * DAY_MS || total > bytes) old.push(name);
    else {
      total += await sizeOf(join(directory, name), bytes - total);
      if (total > bytes) old.push(name);
    }
  }
  return old;
}

/** @param enough the sum at which the rest no longer matters */
async function sizeOf(directory: string, enough: number): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(directory, { recursive: true })) {
      if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
      if (bytes > enough) break;
    }
  } catch {
    // A command may have made a directory that cannot be read, or another one is changing it.
  }
  return bytes;
}
