/** Settings as they may be shown: `***` in the place of every secret. */
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { changeInAddresses, changeInArgument } from './embedded-secrets.ts';
import { childOf, unwrap } from './leaves.ts';

export const REDACTED = '***';
const hide = () => REDACTED;

/**
 * Returns a copy in which `***` replaces what the schema marks as secret, and each secret inside an address or an argument
 * (API-7). Null stays null.
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
        : redactValue(entry, schema && childOf(schema, `${index}`)),
    );
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, redactValue(child, schema && childOf(schema, key))]),
  );
}

/** Hides the login of each address in the text, and query values whose name says that they are a key. */
export const redactUrl = (text: string): string => changeInAddresses(text, hide);
