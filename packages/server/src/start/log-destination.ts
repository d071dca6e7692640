/** Where the log of a kernel goes: stderr, in lines for people where that is a terminal, else in JSON. */
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type DestinationStream, destination } from 'pino';
import { boundedLog, isStderr } from './bounded-log.ts';
import { mayColour, readableLine } from './log-lines.ts';
import { logOf } from './running-file.ts';

const STDERR = 2;

/** Lines are written at once: the one that explains a crash must not be lost in a buffer. */
export function logDestination(data_dir: string): DestinationStream {
  if (isatty(STDERR)) return forPeople;
  const path = logOf(data_dir);
  return isStderr(path) ? boundedLog(path) : destination({ fd: STDERR, sync: true });
}

const forPeople: DestinationStream = {
  write(line) {
    const colour = mayColour({ isTTY: true });
    writeSync(STDERR, `${readableLine(line.trimEnd(), { colour })}\n`);
  },
};
