/** Opens only regular files: to open a pipe, or to read a device to its end, could block forever. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { sep } from 'node:path';

/**
 * Whether a file may have several names (hard links). With `one`, it may not: the others may be outside of the directories
 * in which the caller may work. Files of packages are readable with `any` number: pnpm and uv link them to their caches.
 */
export type HardLinks = 'one' | 'any';

/**
 * Opens the file for some work.
 * @param path real, as `reached` returns it; a link created there since is not followed
 * @throws if it is a directory, a pipe, a socket or a device, or has more names than `links` allows
 */
export async function withFile<Answer>(
  path: string,
  flags: number,
  links: HardLinks,
  work: (file: FileHandle) => Promise<Answer>,
): Promise<Answer> {
  const file = await open(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = await file.stat();
    checkRegular(path, stats);
    if (links === 'one' && stats.nlink > 1 && !(flags === constants.O_RDONLY && isOfPackage(path)))
      throw new Error(
        `${path} is a hard link: the same file has another name, which may be outside of the allowed directories. ` +
          'Copy the file with a command, and use the copy.',
      );
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Whether a file was installed by a package manager. */
const isOfPackage = (path: string): boolean =>
  path.split(sep).some(name => name === 'node_modules' || name === 'site-packages');

/** @throws the errors of `withFile` */
export function checkRegular(path: string, stats: Stats): void {
  if (stats.isDirectory()) throw new Error(`EISDIR: ${path} is a directory.`);
  if (!stats.isFile()) throw new Error(`${path} is no regular file.`);
}
