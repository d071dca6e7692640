/** Opens regular files alone: to open a pipe, or to read a device to its end, could take for ever. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens the file for some work.
 * @param path real, as `reached` returns it: a link that has come there since is not followed
 * @throws where it is a directory, a pipe, a socket or a device
 */
export async function withFile<Answer>(
  path: string,
  flags: number,
  work: (file: FileHandle) => Promise<Answer>,
): Promise<Answer> {
  const file = await open(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    checkRegular(path, await file.stat());
    return await work(file);
  } finally {
    await file.close();
  }
}

/** @throws as `withFile` */
export function checkRegular(path: string, stats: Stats): void {
  if (stats.isDirectory()) throw new Error(`EISDIR: ${path} is a directory.`);
  if (!stats.isFile()) throw new Error(`${path} is no regular file.`);
}
