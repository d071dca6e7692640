/** Decodes stored JSON. */
import { isTooDeep, MAX_LEVELS } from '@chat-kernel/protocol';

/** Nesting limit of stored values: more than any current value has, because a value may be stored inside of others. */
const MAX_STORED_LEVELS = 2 * MAX_LEVELS;

/**
 * Decodes stored JSON. Values that an older version has stored more deeply than today's limit end in null there:
 * recursive code would overflow the stack on them and make the whole chat unreadable (SAFE-3).
 */
// biome-ignore lint/suspicious/noExplicitAny: as of JSON.parse, the caller knows what was stored
export function parsed(text: string): any {
  const value: unknown = JSON.parse(text);
  return isTooDeep(value, MAX_STORED_LEVELS) ? cutBelow(value, MAX_STORED_LEVELS) : value;
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map(part => cutBelow(part, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cutBelow(part, levels - 1)]));
}
