/**
 * Adds up spend in SQL. A cost is null once any part of it is unknown, in rows and in sums: a total without that part
 * would be wrong.
 */
import { type RawBuilder, sql } from 'kysely';

/** The columns of used tokens and money. */
export const USED = [
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cost_usd',
] as const;

/** Adds the new row to the existing one, column by column. SQL's rule is the right one: anything plus null is null. */
export function added(table: string, columns: readonly string[]): Record<string, RawBuilder<number>> {
  const sums = columns.map(column => [
    column,
    sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return Object.fromEntries(sums);
}

/** Returns the sum of each column over several rows. Unlike +, sum() ignores nulls. */
export const summed = <Column extends string>(columns: readonly Column[]) =>
  columns.map(column => {
    const value = sql.ref(column);
    return sql<number>`case when count(${value}) = count(*) then sum(${value}) end`.as(column);
  });
