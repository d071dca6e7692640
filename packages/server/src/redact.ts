/** Settings as they may be shown: every secret is `***`. */
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { childOf, unwrap } from './settings/leaves.ts';

export const REDACTED = '***';

/** A copy in which what the schema marks as secret, and what stands in an address as one, is `***`. Null stays null. */
export function redact(settings: Settings): Settings {
  return redactValue(settings, Settings) as Settings;
}

function redactValue(value: unknown, schema: z.core.$ZodType | undefined): unknown {
  if (value === null || value === undefined) return value;
  if (schema && unwrap(schema).secret) return REDACTED;
  if (typeof value === 'string') return redactUrl(value);
  if (Array.isArray(value))
    return value.map((entry, index) => redactValue(entry, schema && childOf(schema, `${index}`)));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, redactValue(child, schema && childOf(schema, key))]),
  );
}

/** Takes out who an address logs in as, and query values whose name says that they are a key. */
export function redactUrl(text: string): string {
  return text
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, `$1${REDACTED}@`)
    .replace(/([?&][^=&#\s]*(?:key|token|secret|password|signature)[^=&#\s]*=)[^&#\s]+/gi, `$1${REDACTED}`);
}
