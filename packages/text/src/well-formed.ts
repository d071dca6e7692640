/** Replaces lone surrogates in texts: with one of them, providers reject the whole request. */

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
