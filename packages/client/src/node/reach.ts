/** The files that hands may touch: paths are made absolute and real, and held to the directories that their owner named. */
import { readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

interface Reach {
  /** The directory where relative paths begin. */
  workdir: string;
  /** The directories in reach; a link that leads out of them is out of reach. */
  within: readonly string[];
}

/** Linux follows as many. */
const MOST_LINKS = 40;

/** Returns the real path, so that the file which was checked is the one that is opened. @throws where it is out of reach */
export async function reached({ workdir, within }: Reach, path: string): Promise<string> {
  const real = await realOf(resolve(workdir, fromHome(path)));
  const roots = await Promise.all(within.map(root => realOf(resolve(workdir, fromHome(root)))));
  if (roots.some(root => isIn(root, real))) return real;
  throw new Error(`${path} is out of reach: this client may touch files in ${within.join(', ')} alone.`);
}

/** The path with the user's home in the place of `~`: the owner of a chat may not know where that is. */
export const fromHome = (path: string): string => path.replace(/^~(?=$|[/\\])/, homedir());

/** Follows all links; of a path that does not exist yet, those in the part that does. */
async function realOf(path: string, links = { left: MOST_LINKS }): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    // A path that cannot be followed to its end (no rights, a circle of links) may lead anywhere.
    if (!isMissing(error) || parent === path) throw error;
    const real = join(await realOf(parent, links), basename(path));
    const link = await readlink(real).catch(() => undefined);
    if (link === undefined) return real;
    if (links.left-- === 0) throw new Error(`${path}: too many links`);
    return targetOf(real, link, links);
  }
}

/** Follows a link whose target does not exist, step by step: `..` after a link is the parent of the link's target. */
async function targetOf(path: string, link: string, links: { left: number }): Promise<string> {
  let at = isAbsolute(link) ? parse(link).root : dirname(path);
  for (const step of link.split(sep)) at = await realOf(join(at, step), links);
  return at;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function isIn(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === path);
}
