/** Makes paths absolute and real, and checks them against the directories that the user allowed for hands. */
import { readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { isSecretPath, protectedPath } from '@chat-kernel/client';

interface Reach {
  /** The base of relative paths. */
  workdir: string;
  /** The allowed directories. A link that leads out of them is refused. */
  within: readonly string[];
}

/** The limit of Linux. */
const MAX_LINKS = 40;

/** Returns the real path, so that the checked file is the one that is opened. @throws if it is out of reach */
export async function resolveAllowedPath({ workdir, within }: Reach, path: string): Promise<string> {
  const real = await resolveLinks(resolve(workdir, fromHome(path)));
  const roots = await Promise.all(within.map(root => resolveLinks(resolve(workdir, fromHome(root)))));
  if (roots.some(root => isIn(root, real))) return real;
  throw new Error(`${path} is out of reach: this client may touch files in ${within.join(', ')} alone.`);
}

/**
 * Returns the real path of the first directory that contains the directory of a command; that directory itself if none
 * does. The root of the file system does not count: it would be writable as a whole.
 */
export async function writableRoot(cwd: string, directories: readonly string[]): Promise<string> {
  for (const directory of directories) {
    const root = await realpath(fromHome(directory)).catch(() => null);
    if (root !== null && root !== parse(root).root && isIn(root, cwd)) return root;
  }
  return cwd;
}

/**
 * Returns the real path of a file to write. A link must not lead to a protected path, because approvals compare only the
 * text of paths: the owner would not be asked. @throws if it does, or if the file is out of reach
 */
export async function resolveWritablePath(reach: Reach, path: string): Promise<string> {
  const real = await resolveAllowedPath(reach, path);
  const { workdir } = reach;
  const isAsked = protectedPath(resolve(workdir, fromHome(path)), workdir) !== undefined;
  const isProtected = protectedPath(real, await resolveLinks(workdir)) !== undefined;
  if (isProtected && !isAsked)
    throw new Error(`${path} is a link to the protected path ${real}. Use that path.`);
  return real;
}

/**
 * Returns the real path of a file to read. A link must not lead to a secret place, because the owner is asked about the
 * text of a path (CONSENT-5). @throws if it does, or if the file is out of reach
 */
export async function resolveReadablePath(reach: Reach, path: string): Promise<string> {
  const real = await resolveAllowedPath(reach, path);
  const homes = [homedir(), await resolveLinks(homedir())];
  if (!isSecretPath(real, homes)) return real;
  if (isSecretPath(path) && (await spellings(reach, path)).includes(real)) return real;
  const home = homes.find(each => isIn(each, real));
  const shown = home === undefined ? real : join('~', relative(home, real));
  throw new Error(`${path} leads to a secret place: ${shown}. Use that path; the user is asked about it.`);
}

/** The real paths that a path may have without links below the directory of the hands and the home directory. */
async function spellings({ workdir }: Reach, path: string): Promise<string[]> {
  const written = resolve(workdir, fromHome(path));
  const bases = [workdir, homedir()].filter(base => isIn(base, written));
  const moved = bases.map(async base => join(await resolveLinks(base), relative(base, written)));
  return [written, ...(await Promise.all(moved))];
}

/** Replaces `~` by the home directory of the user: the owner of a chat may not know its path. */
export const fromHome = (path: string): string => path.replace(/^~(?=$|[/\\])/, homedir());

/** Follows all links. If a path does not exist yet, follows those in the existing part. */
async function resolveLinks(path: string, links = { left: MAX_LINKS }): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    // A path that cannot be resolved to its end (no permission, a cycle of links) may lead anywhere.
    if (!isMissing(error) || parent === path) throw error;
    const real = join(await resolveLinks(parent, links), basename(path));
    const link = await readlink(real).catch(() => undefined);
    if (link === undefined) return real;
    if (links.left-- === 0) throw new Error(`${path}: too many links`);
    return resolveLinkTarget(real, link, links);
  }
}

/** Follows a link whose target does not exist, one level at a time: `..` after a link is the parent of its target. */
async function resolveLinkTarget(path: string, link: string, links: { left: number }): Promise<string> {
  let at = isAbsolute(link) ? parse(link).root : dirname(path);
  for (const step of link.split(sep)) at = await resolveLinks(join(at, step), links);
  return at;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function isIn(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === path);
}
