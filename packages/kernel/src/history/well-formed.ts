/** Text that any provider accepts: half a character in a request has the whole request refused. */

/** The same value, and where it holds no half of a surrogate pair the same object; halves become U+FFFD. */
export function wellFormed<Value>(value: Value): Value {
  // JSON writes a half as an escape; whatever has none is left as it is.
  return JSON.stringify(value).includes('\\ud') ? (repaired(value) as Value) : value;
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), repaired(part)]));
}
