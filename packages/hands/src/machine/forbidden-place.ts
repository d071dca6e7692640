/** Locations that tools must not touch: their real paths, and the links that lead to them. */
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';

/** A location that tools must not touch. */
export interface ForbiddenPlace {
  /** Its real path. If it does not exist, the real path that it would have. */
  path: string;
  kind: 'directory' | 'file' | 'missing';
}

/** The limit of Linux. */
const MAX_LINKS = 40;

/** Returns the path of each link on the way, free of links itself. @param path absolute */
export async function linksOn(path: string): Promise<string[]> {
  const { root } = parse(path);
  const steps = splitPath(path.slice(root.length));
  const links: string[] = [];
  let at = root;
  while (steps.length > 0 && links.length < MAX_LINKS) {
    const step = steps.shift()!;
    if (step === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, step);
    // A missing or unreadable file is not a link that could be followed.
    const target = await readlink(next).catch(() => null);
    if (target === null) {
      at = next;
    } else {
      links.push(next);
      if (isAbsolute(target)) at = root;
      steps.unshift(...splitPath(target));
    }
  }
  return links;
}

const splitPath = (path: string): string[] => path.split(sep).filter(step => step !== '' && step !== '.');

export async function placeAt(path: string): Promise<ForbiddenPlace> {
  try {
    const real = await realpath(path);
    return { path: real, kind: (await stat(real)).isDirectory() ? 'directory' : 'file' };
  } catch {
    // A path that cannot be resolved, such as a link to itself, is forbidden under its own name.
    return { path: await landing(path).catch(() => path), kind: 'missing' };
  }
}

/** Returns the real path of a file, existing or not: links are followed as far as they exist. */
export async function landing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing || dirname(path) === path) throw error;
    return join(await landing(dirname(path)), basename(path));
  }
}
