/** The log, of which `log-destination.ts` says where it goes: not to stdout, where programs wait for a single line. */
import type { Settings } from '@chat-kernel/protocol';
import { type DestinationStream, type Logger, pino } from 'pino';
import { REDACTED, redactUrl } from '../settings/redact.ts';
import { worthHiding } from '../settings/secrets.ts';

/**
 * Opens the log. No line shows a secret, whichever program put it into an error (API-7).
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
      hooks: {
        // The output of a module comes as the sentence of a line.
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
