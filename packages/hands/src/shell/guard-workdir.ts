/** Decides what a command in a working directory must not see (CONSENT-5) or change (CONSENT-6), before it starts. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForbiddenPlace } from '../machine/forbidden-place.ts';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';
import { PathError } from '../machine/path-errors.ts';
import type { SecretPlaces } from '../machine/secret-places.ts';
import { protectedMounts } from './protected-mounts.ts';

export interface WorkdirGuard {
  /** Secret places, all of which exist. */
  hidden: readonly ForbiddenPlace[];
  /** Paths in hidden directories that are visible nevertheless, existing or not. */
  visible: readonly string[];
  /** Directories that cannot be moved. */
  pinned: readonly string[];
  readOnly: readonly string[];
  /** Files that are removed if the command creates them. */
  unwanted: readonly string[];
}

export const NO_GUARD: WorkdirGuard = { hidden: [], visible: [], pinned: [], readOnly: [], unwanted: [] };

/**
 * @param cwd real path of the working directory
 * @param mayChangeProjects true: only the configuration and hooks of git are protected
 * @throws PathError if it is in a secret place
 */
export async function guardWorkdir(
  cwd: string,
  paths: MachinePaths,
  mayChangeProjects = false,
): Promise<WorkdirGuard> {
  const places = await paths.secrets.existing();
  const around = places.find(({ path }) => isWithin(cwd, path));
  if (around !== undefined) {
    throw new PathError(
      `In the sandbox nothing runs in ${cwd}: ${around.path} is a secret place (keys or passwords). The user can allow it with the setting tools.secret_paths.`,
    );
  }
  const home = paths.isScratch(cwd) ? await wholeHome(paths) : [];
  const outer = [...(await paths.forbidden()), ...home].map(({ path }) => path);
  const skipped = [...outer, ...places.map(({ path }) => path)].filter(path => !isWithin(cwd, path));
  const { secrets, repositories } = await scanWorkdir(cwd, paths.secrets, skipped);
  const isNew = (path: string, hidden: readonly string[]) => !hidden.some(place => isWithin(path, place));
  return {
    hidden: [
      ...home,
      ...places.filter(({ path }) => isNew(path, outer)),
      ...secrets.filter(path => isNew(path, skipped)).map(path => ({ path, kind: 'file' as const })),
    ],
    visible: paths.secrets.exceptions(),
    ...(await protectedMounts(cwd, repositories, mayChangeProjects)),
  };
}

/** Commands of a chat without a working directory see no home directory (CONSENT-8). */
async function wholeHome({ secrets: { home } }: MachinePaths): Promise<ForbiddenPlace[]> {
  const isDirectory = await stat(home).then(
    facts => facts.isDirectory(),
    () => false,
  );
  return isDirectory && home !== '/' ? [{ path: home, kind: 'directory' }] : [];
}

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
 * Looks through a working directory for what a command must not see or change: files with the name of a secret, and
 * git repositories. The scan is bounded, because it runs before each command. Reads the directories near the top
 * first.
 * @param cwd real path
 * @param skipped real paths of directories that are hidden as a whole
 */
async function scanWorkdir(
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
