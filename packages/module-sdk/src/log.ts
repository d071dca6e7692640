/** What a module tells people: in the log of the kernel while that listens, else on stderr. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = Record<LogLevel, (message: string) => void>;

export function logTo(write: (level: LogLevel, message: string) => void): Log {
  const at = (level: LogLevel) => (message: string) => write(level, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Lines for people; stdout may be the wire to the kernel. */
export const printed: Log = logTo((level, message) => {
  process.stderr.write(`${level}: ${message}\n`);
});
