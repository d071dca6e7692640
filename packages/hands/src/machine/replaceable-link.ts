/** Refuses working directories that commands could have moved, by a link that leads elsewhere. */
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { linksOn } from './forbidden-place.ts';
import { PathError } from './path-errors.ts';

/**
 * A command in the sandbox can replace a directory of its working directory by a link. A chat that works in that
 * directory would then work, without a question, wherever the link leads.
 * @param path absolute
 * @returns `real`, its real path
 * @throws PathError if a link on the path is in a directory that the user of the kernel can change
 */
export async function refuseReplaceable(path: string, real: string): Promise<string> {
  if (path === real) return real;
  for (const link of await linksOn(path)) {
    if (!(await isWritable(dirname(link)))) continue;
    throw new PathError(
      `The working directory ${path} leads through the link ${link}, which a command may have created. If it is the right one, the user can set ${real}.`,
    );
  }
  return real;
}

/**
 * Compares the real path of a working directory with the one that the user was asked about: another command may have
 * replaced the directory by a link since.
 * @throws PathError if it is another one
 */
export async function refuseMoved(cwd: string): Promise<void> {
  // A directory that is missing fails later, with the error of the program.
  if ((await realpath(cwd).catch(() => cwd)) === cwd) return;
  throw new PathError(`The working directory ${cwd} has become another one. Nothing runs there.`);
}

const isWritable = (directory: string): Promise<boolean> =>
  access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
