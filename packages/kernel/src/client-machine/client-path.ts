/**
 * Paths on a client's machine, of whichever system. The client's disk is not here, so only the text of a path counts.
 */
import { posix, win32 } from 'node:path';

/** Whether the path leads somewhere without a directory to begin at: `/...`, `~`, `C:\...`, `\\server\share`. */
export const isAbsoluteThere = (path: string): boolean =>
  HOME.test(path) || /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

/**
 * The path as seen from a directory of that machine, in that machine's notation, with `.` and `..` resolved. An
 * absolute path is returned as it is.
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
  // Only the client knows where home is, so a path that leads out of it stays as it is: ~/../x.
  const fromHome = rules.join(`.${directory.slice(home.length)}`, path).replace(/[\\/]$/, '');
  return fromHome === '.' ? home : `${home}${rules.sep}${fromHome}`;
}

const DRIVE = /^[a-z]:/i;
const HOME = /^~(?=$|[\\/])/;

const hasBackslashes = (directory: string): boolean => DRIVE.test(directory) || /^(\\\\|~\\)/.test(directory);
