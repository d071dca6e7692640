/** Decides what a command in a working directory must not see (CONSENT-5) or change (CONSENT-6), before it starts. */
import { stat } from 'node:fs/promises';
import type { ForbiddenPlace } from '../machine/forbidden-place.ts';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';
import { PathError } from '../machine/path-errors.ts';
import { protectedMounts } from './protected-mounts.ts';
import { scanWorkdir } from './scan-workdir.ts';

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
