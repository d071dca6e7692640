/** Resolves and completes typed paths of this machine. */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve, sep } from 'node:path';
import { unquoted } from '../text/normalize.ts';

const MAX_PATHS = 50;

/** Returns an absolute path. `~` is the home directory. A leading @ is left from a completion. */
export function typedPath(workdir: string, typed: string): string {
  const bare = unquoted(typed.replace(/^@/, ''));
  const whole = bare === '~' || bare.startsWith('~/') ? homedir() + bare.slice(1) : bare;
  return resolve(workdir, whole);
}

export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

/**
 * Returns paths that start with, or contain, the last part of the typed one. Directories end in a slash.
 * Hidden names need a typed dot. @throws Error if the directory does not exist
 */
export async function completePath(workdir: string, query: string): Promise<string[]> {
  const typedName = query.endsWith('/') ? '' : basename(query);
  const before = query.slice(0, query.length - typedName.length);
  const directory = before === '' ? workdir : typedPath(workdir, before);
  const entries = await readdir(directory, { withFileTypes: true });
  const wanted = typedName.toLowerCase();
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  return (
    entries
      .filter(
        ({ name }) =>
          name.toLowerCase().includes(wanted) && (typedName.startsWith('.') || !name.startsWith('.')),
      )
      // A quote or a newline would end the completion.
      .filter(({ name }) => !/["\n]/.test(name))
      .toSorted((a, b) => Number(begins(b.name)) - Number(begins(a.name)) || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_PATHS)
      .map(entry => `${before}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  );
}
