/** Encodes values for their columns. */
import type { Encoded } from './schema.ts';

/** Encodes a record for its row; undefined values stay undefined. @param texts columns whose texts are JSON as well */
export function encode<Row extends object, Json extends keyof Row = never>(
  record: Row,
  texts: readonly Json[] = [],
): Encoded<Row, Json> {
  const row = Object.entries(record).map(([column, value]) => {
    if (typeof value === 'boolean') return [column, Number(value)];
    if (typeof value === 'object' || texts.includes(column as Json)) return [column, json(value)];
    return [column, typeof value === 'string' ? plain(value) : value];
  });
  return Object.fromEntries(row);
}

/** Encodes a value as JSON; undefined stays undefined, so that Kysely omits the column. */
export function json<Value>(value: Value): Value extends null | undefined ? Value : string;
export function json(value: unknown): unknown {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

/** Drops U+0000, which Postgres cannot store in text. (JSON escapes it and may contain it.) */
export function plain<Value extends string | null | undefined>(value: Value): Value;
export function plain(value: string | null | undefined): string | null | undefined {
  return value?.replaceAll('\0', '') ?? value;
}

/** Folds case in any script: databases do so only for ASCII, or by locale. */
export function searchable(text: string): string {
  return text.normalize('NFKC').toUpperCase();
}
