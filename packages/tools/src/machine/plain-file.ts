/** Plain files, opened to be read: a pipe would keep its reader waiting, and a device may act upon being opened. */
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, stat } from 'node:fs/promises';
import { PathError } from './machine-path.ts';

const CHUNK = 1024 * 1024;

/** Where Linux shows the open files and directories of this process, by their numbers. */
export const OPEN_FILES = '/proc/self/fd/';

/**
 * Opens a file by its real path, or by its name in an open directory: a link there has just been put in its place.
 * @throws PathError where it is no file, or the error of the file system
 */
export async function openFile(path: string): Promise<FileHandle> {
  refuseOthers(await stat(path));
  // The path may have become something else between the two looks.
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
 * A directory on the way may have become a link, by a command that runs beside, after the path was found to be allowed.
 * Linux says which file is open; on other systems the path alone counts.
 */
async function refuseMoved(file: FileHandle, path: string): Promise<void> {
  // A path through an open directory has no directories on its way.
  if (path.startsWith(OPEN_FILES)) return;
  const opened = await readlink(OPEN_FILES + file.fd).catch(() => path);
  if (opened !== path) throw new PathError('This path has just become another one.');
}

/** Reads at most `size` bytes from `offset` on, whatever size the system reports. */
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
