/** Configures how values of Postgres are parsed. */
import pg from 'pg';

/** bigint and its sums would arrive as text; all numbers of the store are within JavaScript's range. */
const NUMBER_TYPES: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

export const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    NUMBER_TYPES.includes(type) ? Number : pg.types.getTypeParser(type, format),
};
