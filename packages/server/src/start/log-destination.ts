/** Chooses the destination of the log: stderr, in readable lines if that is a terminal, else in JSON. */
import { copyFileSync, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { logFilePath } from '@chat-kernel/settings/running-file';
import { type DestinationStream, destination } from 'pino';
import { mayColour, readableLine } from './log-lines.ts';

const STDERR = 2;

/** Lines are written synchronously: the one that explains a crash must not be lost in a buffer. */
export function logDestination(data_dir: string): DestinationStream {
  if (isatty(STDERR)) return forPeople;
  const path = logFilePath(data_dir);
  return isStderr(path) ? boundedLog(path) : destination({ fd: STDERR, sync: true });
}

const forPeople: DestinationStream = {
  write(line) {
    const colour = mayColour({ isTTY: true });
    writeSync(STDERR, `${readableLine(line.trimEnd(), { colour })}\n`);
  },
};

/** Size in bytes at which the log of a background kernel moves to the older file: it must not fill the disk. */
const LOG_BYTES = 10 * 1024 * 1024;
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
function boundedLog(path: string, most = LOG_BYTES): DestinationStream {
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
