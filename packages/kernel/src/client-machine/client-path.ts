/**
 * Handles paths on a client's machine with any operating system. Only the text of a path counts, because the client's
 * disk is not accessible.
 */
import { posix, win32 } from 'node:path';

/** Whether the path is absolute: `/...`, `~`, `C:\...`, `\\server\share`. */
export const isAbsoluteThere = (path: string): boolean =>
  HOME.test(path) || /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

/**
 * The path relative to a directory of that machine, in its notation, with `.` and `..` resolved. An absolute path is
 * returned unchanged.
 */
export function pathThere(directory: string | null, path: string): string {
  if (directory === null || isAbsoluteThere(path)) return path;
  const rules = hasBackslashes(directory) ? win32 : posix;
  // Each drive has a current directory, and only that machine knows it.
  if (rules === win32 && DRIVE.test(path)) return path;
  const home = HOME.exec(directory)?.[0];
  if (home === undefined) {
    const there =
      rules === win32 && /^[\\/]/.test(path) ? win32.resolve(directory, path) : rules.join(directory, path);
    return there.length > rules.parse(there).root.length ? there.replace(/[\\/]$/, '') : there;
  }
  // Only the client knows the home directory, so a path that leads out of it stays unchanged: ~/../x.
  const fromHome = rules.join(`.${directory.slice(home.length)}`, path).replace(/[\\/]$/, '');
  return fromHome === '.' ? home : `${home}${rules.sep}${fromHome}`;
}

/** Whether a path, as written, is a directory of that machine, or inside of it. False without a directory. */
export function isWithinThere(directory: string | null, path: string): boolean {
  if (directory === null) return false;
  const { isAbsolute, join, normalize, relative } = hasBackslashes(directory) ? win32 : posix;
  // A drive without a root is relative to a directory that only that machine knows.
  const isWhole = isAbsolute(path) || path.startsWith('~') || DRIVE.test(path);
  const there = isWhole ? normalize(path) : join(directory, path);
  // relative() resolves a path without a root from the directory of the kernel, which means nothing on that machine.
  if (isAbsolute(directory) !== isAbsolute(there)) return false;
  const way = relative(normalize(directory), there);
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}

const DRIVE = /^[a-z]:/i;
const HOME = /^~(?=$|[\\/])/;

const hasBackslashes = (directory: string): boolean => DRIVE.test(directory) || /^(\\\\|~\\)/.test(directory);
