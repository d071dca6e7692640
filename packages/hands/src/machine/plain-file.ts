/** Opens regular files for reading. A pipe would block its reader, and opening a device may have side effects. */
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, stat } from 'node:fs/promises';
import { PathError } from './path-errors.ts';

const CHUNK = 1024 * 1024;

/** The Linux directory of this process's open files and directories, by number. */
export const OPEN_FILES = '/proc/self/fd/';

/**
 * Opens a file by its real path, or by its name in an open directory. A link at this path was created after the check,
 * so it is not followed.
 * @throws PathError if it is not a file, or the error of the file system
 */
export async function openFile(path: string): Promise<FileHandle> {
  refuseOthers(await stat(path));
  // The path may have become something else between the two checks.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    refuseOthers(await file.stat());
    await refuseMoved(file, path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * A concurrent command may have replaced a directory on the path by a link after the path was checked. On Linux the
 * path of the open file is verified; on other systems only the earlier check applies.
 */
async function refuseMoved(file: FileHandle, path: string): Promise<void> {
  // A path through an open directory contains no other directories.
  if (path.startsWith(OPEN_FILES)) return;
  const opened = await readlink(OPEN_FILES + file.fd).catch(() => path);
  if (opened !== path) throw new PathError('This path has just become another one.');
}

/** Reads at most `size` bytes from `offset` on, regardless of the size that the system reports. */
export async function readPart(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let read = 0;
  while (read < size) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - read));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset + read);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    read += bytesRead;
  }
  return Buffer.concat(chunks);
}

function refuseOthers(facts: { isFile(): boolean; isDirectory(): boolean }): void {
  if (facts.isDirectory()) throw new PathError('This is a directory.');
  if (!facts.isFile()) throw new PathError('This is neither a file nor a directory.');
}
