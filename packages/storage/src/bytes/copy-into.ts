/** Copies a stored file into a user's directory, without following links out of it. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The bytes to copy. `put` writes them to an unused path. */
export interface CopySource {
  size: number;
  put(path: string): Promise<void>;
}

/** A file of this machine; the disk shares blocks if it can. */
export const fileSource = async (path: string): Promise<CopySource> => ({
  size: (await stat(path)).size,
  put: target => copyFile(path, target, constants.COPYFILE_FICLONE),
});

/**
 * Creates a copy at `<directory>/<steps...>/<name>` and returns that path, with links in `directory` resolved and `~`
 * as the home folder. An existing file with the same size is kept, because programs in the directory may be reading it.
 * Throws if the directory is missing or not writable, or if a link on the path leads out of it.
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
  // Proceeds one level at a time, so that no folder is created behind a link before the link is checked.
  for (const step of steps) {
    const next = join(folder, step);
    await mkdir(next, { recursive: true });
    if ((await realpath(next)) !== next) throw new Error('A link leads out of the working directory.');
    folder = next;
  }
  const target = join(folder, name);
  const found = await stat(target).catch(() => undefined);
  if (found?.isFile() && found.size === size) return target;
  // The copy gets its name only once it is complete.
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
