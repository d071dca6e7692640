/** Writes the log of a module: to the kernel's log while there is a connection, and otherwise to stderr. */

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Logger = Record<LogLevel, (message: string) => void>;

export function logTo(write: (level: LogLevel, message: string) => void): Logger {
  const at = (level: LogLevel) => (message: string) => write(level, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Prints to stderr, because stdout may be the connection to the kernel. */
export const stderrLogger: Logger = logTo((level, message) => {
  process.stderr.write(`${level}: ${message}\n`);
});
