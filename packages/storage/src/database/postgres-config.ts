/** Reads the configuration of a Postgres database, formats its name for users, and chooses how its values are parsed. */
import pg from 'pg';
import { StoreError } from './store-error.ts';

/** Omits user and password. */
export function describeDatabase(config: pg.ClientConfig): string {
  try {
    const { host, port, database } = new pg.Client(config);
    return `The Postgres database ${database} at ${host}:${port}`;
  } catch {
    // The error may contain the URL, and so the password.
    throw new StoreError(
      'database.url is not a valid address of a Postgres database (postgres://user:password@host:port/name); ' +
        'special characters in the password must be percent-encoded.',
    );
  }
}

/** bigint and its sums would arrive as text; all numbers of the store are within JavaScript's range. */
const NUMBER_TYPES: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

export const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    NUMBER_TYPES.includes(type) ? Number : pg.types.getTypeParser(type, format),
};
