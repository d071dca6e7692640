/** Cuts texts to a maximum length or to one line, and repairs broken characters. */

/** Returns the beginning of a text: at most `chars` UTF-16 units, without half a character at the end. */
export const cutText = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');

/** Returns the text, or its beginning and an ellipsis: at most `chars` UTF-16 units in all. */
export const cutWithEllipsis = (text: string, chars: number): string =>
  text.length <= chars ? text : `${cutText(text, chars - 1)}…`;

/** Returns the text, or its first `chars` UTF-16 units, then `between` and how many more there are. */
export function cutWithCount(text: string, chars: number, between = ' '): string {
  const shown = cutText(text, chars);
  return shown === text ? text : `${shown}${between}[${text.length - shown.length} more characters]`;
}

/** Returns the text on one line: each run of white space becomes a space, without any at the ends. */
export const toSingleLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The value with each lone surrogate replaced by U+FFFD; the same object if there is none. */
export function wellFormed<Value>(value: Value): Value {
  // JSON escapes lone surrogates, so a value without that escape is well formed.
  return JSON.stringify(value).includes('\\ud') ? (repaired(value) as Value) : value;
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), repaired(part)]));
}
