/** Copies a stored file into a directory of people, where a link must not lead it elsewhere. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The bytes to be copied. `put` writes them to a path that is free. */
export interface CopySource {
  size: number;
  put(path: string): Promise<void>;
}

/** A file of this machine; a disk that can share blocks does. */
export const fileSource = async (path: string): Promise<CopySource> => ({
  size: (await stat(path)).size,
  put: target => copyFile(path, target, constants.COPYFILE_FICLONE),
});

/**
 * Puts a copy at `<directory>/<steps...>/<name>` and returns that path, with the links of `directory` followed and `~`
 * as the home folder. A file that is there already with the same size is left alone: programs in the directory may be
 * reading it. Throws where the directory is not there or can't be written to, and where a link on the way leads out of
 * it.
 */
export async function copyInto(
  { size, put }: CopySource,
  directory: string,
  steps: readonly string[],
  name: string,
): Promise<string> {
  const path = directory.replace(/^~(?=\/|$)/, homedir());
  if (!isAbsolute(path)) throw new Error('The working directory is not an absolute path.');
  let folder = await realpath(path);
  // Goes step by step, so that no folder is created behind a link before the link is seen.
  for (const step of steps) {
    const next = join(folder, step);
    await mkdir(next, { recursive: true });
    if ((await realpath(next)) !== next) throw new Error('A link leads out of the working directory.');
    folder = next;
  }
  const target = join(folder, name);
  const found = await stat(target).catch(() => undefined);
  if (found?.isFile() && found.size === size) return target;
  // The copy has its name only once it is whole.
  const part = join(folder, `.${randomUUID()}.part`);
  try {
    await put(part);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return target;
}
