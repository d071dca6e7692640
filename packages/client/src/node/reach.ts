/** Which files hands may touch: paths made whole, and held to the directories that their owner named. */
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

export interface Reach {
  /** Where relative paths begin. */
  workdir: string;
  /** What is in none of these directories is out of reach, also by a link. */
  within: readonly string[];
}

/** The whole path. @throws where it is out of reach */
export async function reached({ workdir, within }: Reach, path: string): Promise<string> {
  const whole = resolve(workdir, path);
  const real = await realOf(whole);
  const roots = await Promise.all(within.map(root => realOf(resolve(workdir, root))));
  if (roots.some(root => isIn(root, real))) return whole;
  throw new Error(`${path} is out of reach: this client may touch files in ${within.join(', ')} alone.`);
}

/** With all links followed; of what is not there yet, the part that is. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // Of anything else (no rights, a circle of links) opening it tells better.
    if (!missing || parent === path) return path;
    // A link to what is not there leads to where that would be made.
    const link = await readlink(path).catch(() => undefined);
    return link === undefined ? join(await realOf(parent), basename(path)) : realOf(resolve(parent, link));
  }
}

function isIn(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === path);
}
