/** The log of a kernel in the background, which must not fill the disk: one older file beside it, and no more. */
import { copyFileSync, fstatSync, ftruncateSync, statSync } from 'node:fs';
import { type DestinationStream, destination } from 'pino';

const STDERR = 2;
/** Bytes at which the log moves to the older file. */
const LOG_BYTES = 10 * 1024 * 1024;
/** The older file of a log. */
export const olderOf = (path: string): string => `${path}.1`;

/** Whether what this process writes to stderr is added to the file. */
export function isStderr(path: string): boolean {
  try {
    const [here, there] = [fstatSync(STDERR), statSync(path)];
    return here.isFile() && here.ino === there.ino && here.dev === there.dev;
  } catch {
    return false;
  }
}

/**
 * Writes to stderr, which is the file. It is copied and emptied rather than renamed, so that the last words of a process
 * that crashes, which Node writes to stderr itself, are found in it, too.
 */
export function boundedLog(path: string, most = LOG_BYTES): DestinationStream {
  const file = destination({ fd: STDERR, sync: true });
  let size = fstatSync(STDERR).size;
  return {
    write(line) {
      file.write(line);
      size += Buffer.byteLength(line);
      if (size < most) return;
      try {
        copyFileSync(path, olderOf(path));
        ftruncateSync(STDERR);
      } catch {
        // A full disk: the next attempt comes when as much again was written.
      }
      size = 0;
    },
  };
}
