/** Text on its way into a column. */

/** Null stays null; undefined stays undefined, which Kysely takes as "leave the column alone". */
export function json<Value>(value: Value): Value extends null | undefined ? Value : string;
export function json(value: unknown): unknown {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

/** Postgres keeps no U+0000 in text, so no database does. (JSON escapes it and may hold it.) */
export function plain<Value extends string | null | undefined>(value: Value): Value;
export function plain(value: string | null | undefined): string | null | undefined {
  return value?.replaceAll('\0', '') ?? value;
}

/** A form in which text is found whatever its case, in any script: databases fold ASCII alone, or by locale. */
export function searchable(text: string): string {
  return text.normalize('NFKC').toUpperCase();
}
