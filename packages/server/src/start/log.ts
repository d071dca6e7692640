/**
 * Opens the log. `log-destination.ts` chooses its destination, which is never stdout, where programs wait for a single
 * line.
 */
import type { Settings } from '@chat-kernel/protocol';
import { REDACTED, redactUrl, worthHiding } from '@chat-kernel/settings';
import { type DestinationStream, type Logger, pino } from 'pino';

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
