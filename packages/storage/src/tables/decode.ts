/** Decodes rows into records. */
import { isTooDeep, MAX_LEVELS } from '@chat-kernel/protocol';

/** Nesting limit of stored values: more than any current value has, because a value may be stored inside of others. */
const MAX_STORED_LEVELS = 2 * MAX_LEVELS;

/** `json`: any value as JSON. `flag`: a boolean as 1 or 0. */
export type ColumnKind = 'json' | 'flag';
type KindOf<Value> = Value extends boolean ? 'flag' : Value extends object ? 'json' : never;
type Encoded<Row> = { [Column in keyof Row]: KindOf<Row[Column]> extends never ? never : Column }[keyof Row];
/** The kind of each column that does not store its value unchanged. Texts may be JSON, too. */
export type ColumnKinds<Row> = { readonly [Column in Encoded<Row>]: KindOf<Row[Column]> } & {
  readonly [Column in Exclude<keyof Row, Encoded<Row>>]?: 'json';
};

export const jsonColumns = <Row extends object>(kinds: ColumnKinds<Row>): (keyof Row)[] =>
  (Object.keys(kinds) as (keyof Row)[]).filter(column => kinds[column as keyof typeof kinds] === 'json');

/**
 * @param damaged function that returns the replacement for a value with damaged JSON
 * @throws SyntaxError for damaged JSON if `damaged` is absent
 */
export function decode<Row extends object>(
  row: { readonly [Column in keyof Row]: unknown },
  kinds: ColumnKinds<Row>,
  damaged?: (column: keyof Row) => unknown,
): Row {
  const record: Record<PropertyKey, unknown> = { ...row };
  for (const [column, kind] of Object.entries(kinds) as [keyof Row, ColumnKind][]) {
    const value = record[column];
    if (value === null) continue;
    if (kind === 'flag') {
      record[column] = value === 1;
      continue;
    }
    try {
      record[column] = parsed(value as string);
    } catch (error) {
      if (damaged === undefined) throw error;
      record[column] = damaged(column);
    }
  }
  return record as Row;
}

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
