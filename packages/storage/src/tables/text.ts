/** Encodes text for its column. It is all that the thread that writes needs of this folder. */

/** Encodes a value as JSON; undefined stays undefined, by which Kysely leaves the column alone. */
export function json<Value>(value: Value): Value extends null | undefined ? Value : string;
export function json(value: unknown): unknown {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

/** Drops U+0000, which Postgres can't keep in text. (JSON escapes it and may hold it.) */
export function plain<Value extends string | null | undefined>(value: Value): Value;
export function plain(value: string | null | undefined): string | null | undefined {
  return value?.replaceAll('\0', '') ?? value;
}

/** Folds case in any script: databases do so for ASCII alone, or by locale. */
export function searchable(text: string): string {
  return text.normalize('NFKC').toUpperCase();
}
