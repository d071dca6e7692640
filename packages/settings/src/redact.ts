/** Redacts settings: replaces every secret with `***`. */
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { changeInAddresses, changeInArgument } from './embedded-secrets.ts';
import { findChildSchema, unwrap } from './leaves.ts';

export const REDACTED = '***';
const hide = () => REDACTED;

/**
 * Returns a copy with `***` for secret settings, and for secrets inside of addresses and arguments (API-7). Null stays
 * null.
 */
export function redact(settings: Settings): Settings {
  return redactValue(settings, Settings) as Settings;
}

function redactValue(value: unknown, schema: z.core.$ZodType | undefined): unknown {
  if (value === null || value === undefined) return value;
  if (schema && unwrap(schema).secret) return REDACTED;
  if (typeof value === 'string') return redactUrl(value);
  if (Array.isArray(value))
    return value.map((entry, index) =>
      typeof entry === 'string'
        ? changeInArgument(entry, value[index - 1], hide)
        : redactValue(entry, schema && findChildSchema(schema, `${index}`)),
    );
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      redactValue(child, schema && findChildSchema(schema, key)),
    ]),
  );
}

/** Redacts the logins of addresses in the text, and query values with the name of a secret. */
export const redactUrl = (text: string): string => changeInAddresses(text, hide);
