/** Limits the log of a background kernel, which must not fill the disk: it keeps one older file next to it. */
import { copyFileSync, fstatSync, ftruncateSync, statSync } from 'node:fs';
import { type DestinationStream, destination } from 'pino';

const STDERR = 2;
/** Size in bytes at which the log moves to the older file. */
const LOG_BYTES = 10 * 1024 * 1024;
/** The older file of a log. */
export const rotatedPath = (path: string): string => `${path}.1`;

/** Whether the stderr of this process is appended to the file. */
export function isStderr(path: string): boolean {
  try {
    const [here, there] = [fstatSync(STDERR), statSync(path)];
    return here.isFile() && here.ino === there.ino && here.dev === there.dev;
  } catch {
    return false;
  }
}

/**
 * Writes to stderr, which is the file. The file is copied and truncated, not renamed, so that it also contains the last
 * output of a crashing process, which Node itself writes to stderr.
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
        copyFileSync(path, rotatedPath(path));
        ftruncateSync(STDERR);
      } catch {
        // The disk is full: the next attempt comes after as many bytes again.
      }
      size = 0;
    },
  };
}
