/** The log: JSON lines on stderr, so that stdout stays free for the one line that programs wait for. */
import type { Settings } from '@chat-kernel/protocol';
import { destination, type Logger, pino } from 'pino';

/** Written at once: a line that explains a crash must not be lost in a buffer. */
export function openLog(level: Settings['log']['level']): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  );
}
