/** Paths on a client's machine, of whichever system: only their letters are looked at, for its disk is not here. */
import { posix, win32 } from 'node:path';

/** Whether the path says all by itself where it leads: `/...`, `~`, `C:\...`, `\\server\share`. */
export const isAbsoluteThere = (path: string): boolean =>
  HOME.test(path) || /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

/** A path inside a directory of that machine, with its separators, `.` and `..` resolved; an absolute one as it is. */
export function pathThere(directory: string | null, path: string): string {
  if (directory === null || isAbsoluteThere(path)) return path;
  const rules = hasBackslashes(directory) ? win32 : posix;
  // Relative to a drive, which has a directory of its own: that machine knows it.
  if (rules === win32 && DRIVE.test(path)) return path;
  const home = HOME.exec(directory)?.[0];
  if (home === undefined) {
    const there =
      rules === win32 && /^[\\/]/.test(path) ? win32.resolve(directory, path) : rules.join(directory, path);
    return there.length > rules.parse(there).root.length ? there.replace(/[\\/]$/, '') : there;
  }
  // Where home is, only the client knows, so what leads out of it stays: ~/../x.
  const fromHome = rules.join(`.${directory.slice(home.length)}`, path).replace(/[\\/]$/, '');
  return fromHome === '.' ? home : `${home}${rules.sep}${fromHome}`;
}

const DRIVE = /^[a-z]:/i;
const HOME = /^~(?=$|[\\/])/;

const hasBackslashes = (directory: string): boolean => DRIVE.test(directory) || /^(\\\\|~\\)/.test(directory);
