/**
 * Refuses to write files that make a directory a bare git repository, or that configure one (CONSENT-6): git in this
 * directory runs the programs that its `config` names.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { PathError } from './path-errors.ts';

/** Git takes a directory with these for a repository. */
const LAYOUT = ['HEAD', 'objects', 'refs'];
const FILES = ['HEAD', 'config', 'config.worktree', 'commondir'];
const DIRECTORIES = ['objects', 'refs', 'hooks'];

/** @param real the real path of a file that will be written. @throws PathError */
export function refuseBareRepository(real: string): void {
  // A directory .git is a protected path itself, about which the owner decides.
  if (real.split(sep).includes('.git')) return;
  for (const [directory, part] of partsOf(real)) {
    if (!LAYOUT.every(name => name === part || existsSync(join(directory, name)))) continue;
    throw new PathError(
      `${real} would belong to a bare git repository in ${directory}, in which git runs what its files say. Only the user can write there.`,
    );
  }
}

/** Returns the directories of which the path may be such a part, each with the name of the part. */
function partsOf(real: string): [directory: string, part: string][] {
  const named = (names: readonly string[], path: string) =>
    names.find(name => name.toLowerCase() === basename(path).toLowerCase());
  const parts: [string, string][] = [];
  const file = named(FILES, real);
  if (file !== undefined) parts.push([dirname(real), file]);
  for (let path = dirname(real); path !== dirname(path); path = dirname(path)) {
    const directory = named(DIRECTORIES, path);
    if (directory !== undefined) parts.push([dirname(path), directory]);
  }
  return parts;
}
