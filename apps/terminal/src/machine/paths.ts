/** Paths of this machine as the owner types them, and their completion. */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve, sep } from 'node:path';

const MOST = 50;

/** Absolute. `~` is the home of the owner, an @ before it stays from its completion. */
export function typedPath(workdir: string, typed: string): string {
  const bare = typed.replace(/^@/, '').replace(/^(['"])(.*)\1$/, '$2');
  const whole = bare === '~' || bare.startsWith('~/') ? homedir() + bare.slice(1) : bare;
  return resolve(workdir, whole);
}

export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

/**
 * What is there that begins with, or holds, the last part of what was typed; directories end in a slash.
 * Hidden names come where a dot was typed. @throws where there is no such directory
 */
export async function completePath(workdir: string, query: string): Promise<string[]> {
  const part = query.endsWith('/') ? '' : basename(query);
  const before = query.slice(0, query.length - part.length);
  const directory = before === '' ? workdir : typedPath(workdir, before);
  const entries = await readdir(directory, { withFileTypes: true });
  const wanted = part.toLowerCase();
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  return (
    entries
      .filter(
        ({ name }) => name.toLowerCase().includes(wanted) && (part.startsWith('.') || !name.startsWith('.')),
      )
      // A blank would end what is completed.
      .filter(({ name }) => !/\s/.test(name))
      .toSorted((a, b) => Number(begins(b.name)) - Number(begins(a.name)) || (a.name < b.name ? -1 : 1))
      .slice(0, MOST)
      .map(entry => `${before}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  );
}
