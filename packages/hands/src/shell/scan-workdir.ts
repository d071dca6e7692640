/**
 * Looks through a working directory for what a command must not see or change: files with the name of a secret, and git
 * repositories. The scan is bounded, because it runs before each command.
 */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../machine/machine-path.ts';
import type { SecretPlaces } from '../machine/secret-places.ts';

const MAX_ENTRIES = 5000;
const MAX_DEPTH = 6;
/** Each of these needs several mounts. */
const MAX_REPOSITORIES = 50;
/** Other people's code, which has its own rules, and data of git. */
const SKIPPED = new Set(['node_modules', '.venv', 'vendor', '.git']);

interface FoundInWorkdir {
  /** Real paths of secret files. */
  secrets: string[];
  /** Directories with an entry `.git`, the working directory first. */
  repositories: string[];
}

/**
 * Reads the directories near the top first.
 * @param cwd real path
 * @param skipped real paths of directories that are hidden as a whole
 */
export async function scanWorkdir(
  cwd: string,
  places: SecretPlaces,
  skipped: readonly string[],
): Promise<FoundInWorkdir> {
  const judge = places.judge();
  const secrets = new Set<string>();
  const repositories: string[] = [];
  let entries = 0;
  let level = [cwd];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (entries >= MAX_ENTRIES) return { secrets: [...secrets], repositories };
      // A directory that cannot be read is not readable in the sandbox either.
      const found = await readdir(directory, { withFileTypes: true }).catch(() => []);
      entries += found.length;
      for (const entry of found) {
        const path = join(directory, entry.name);
        if (entry.name === '.git' && repositories.length < MAX_REPOSITORIES) repositories.push(directory);
        if (entry.isDirectory()) {
          if (!SKIPPED.has(entry.name) && !skipped.includes(path)) next.push(path);
        } else if (entry.isSymbolicLink()) {
          const real = await realpath(path).catch(() => null);
          if (real === null || skipped.some(place => isWithin(real, place))) continue;
          // A link is judged by its own name and by the file that it leads to.
          if (judge(path) === 'secret' || (await places.has(real, judge))) secrets.add(real);
        } else if (entry.isFile() && (await places.has(path, judge))) secrets.add(path);
      }
    }
    level = next;
  }
  return { secrets: [...secrets], repositories };
}
