/** Chooses the destination of the log: stderr, in readable lines if that is a terminal, else in JSON. */
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { logFilePath } from '@chat-kernel/settings/running-file';
import { type DestinationStream, destination } from 'pino';
import { boundedLog, isStderr } from './bounded-log.ts';
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
