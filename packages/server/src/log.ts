/** The log: JSON lines on stderr, so that stdout stays free for the one line that programs wait for. */
import type { Settings } from '@chat-kernel/protocol';
import { destination, type Logger, pino } from 'pino';
import { REDACTED, redactUrl } from './redact.ts';

/** What is shorter would be found inside of words. */
const SHORTEST_SECRET = 6;

/**
 * Written at once: a line that explains a crash must not be lost in a buffer. No line shows a secret, whoever put it
 * into an error (API-7).
 * @param secrets the longest first
 */
export function openLog(level: Settings['log']['level'], secrets: readonly string[] = []): Logger {
  const hidden = secrets.filter(secret => secret.length >= SHORTEST_SECRET);
  const clean = (text: string) =>
    hidden.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), redactUrl(text));
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: facts => cleaned(facts, clean) as Record<string, unknown> },
    },
    destination({ fd: 2, sync: true }),
  );
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (value instanceof Error) return cleaned({ ...pino.stdSerializers.err(value) }, clean);
  if (Array.isArray(value)) return value.map(each => cleaned(each, clean));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cleaned(child, clean)]));
}
