/**
 * Opens the log, and chooses its destination: stderr, in readable lines if that is a terminal, else in JSON. Never stdout,
 * where programs wait for a single line.
 */
import { copyFileSync, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Settings } from '@chat-kernel/protocol';
import { REDACTED, redactUrl, worthHiding } from '@chat-kernel/settings';
import { logFilePath } from '@chat-kernel/settings/running-file';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { mayColour, readableLine } from './log-lines.ts';

/**
 * Opens the log. No line contains a secret, whichever program put it into an error (API-7).
 * @param secrets the longest first
 */
export function openLog(
  level: Settings['log']['level'],
  secrets: readonly string[],
  to: DestinationStream,
): Logger {
  const hidden = worthHiding(secrets);
  const clean = (text: string) =>
    hidden.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), redactUrl(text));
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: facts => cleaned(facts, clean) as Record<string, unknown> },
      // The formatter has serialized the error: doing it again would replace its type by that of an object.
      serializers: { err: facts => facts },
      hooks: {
        // The output of a module is the message of a log line.
        logMethod(words, write) {
          write.apply(
            this,
            words.map(word => (typeof word === 'string' ? clean(word) : word)) as Parameters<typeof write>,
          );
        },
      },
    },
    to,
  );
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (value instanceof Error) return cleaned({ ...pino.stdSerializers.err(value) }, clean);
  if (Array.isArray(value)) return value.map(each => cleaned(each, clean));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cleaned(child, clean)]));
}

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
