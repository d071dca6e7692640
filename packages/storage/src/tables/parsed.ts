/** Decodes JSON that was stored. */
import { isTooDeep, MOST_LEVELS } from '@chat-kernel/protocol';

/** Levels of stored values: more than any that is stored today, since a value travels inside others. */
const MOST_STORED_LEVELS = 2 * MOST_LEVELS;

/**
 * Decodes stored JSON. What an older version has stored deeper than anything is nested today ends in null there: who
 * walks through it would not come back, and the whole chat could not be read any more (SAFE-3).
 */
// biome-ignore lint/suspicious/noExplicitAny: as of JSON.parse, the caller knows what was stored
export function parsed(text: string): any {
  const value: unknown = JSON.parse(text);
  return isTooDeep(value, MOST_STORED_LEVELS) ? cutBelow(value, MOST_STORED_LEVELS) : value;
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map(part => cutBelow(part, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cutBelow(part, levels - 1)]));
}
