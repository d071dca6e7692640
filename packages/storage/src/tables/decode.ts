/** Decodes rows into records. */

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
    record[column] =
      kind === 'flag' ? value === 1 : parsed(value as string, damaged && (() => damaged(column)));
  }
  return record as Row;
}

function parsed(text: string, damaged?: () => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (damaged === undefined) throw error;
    return damaged();
  }
}
