/** Formats the name of a Postgres database for users. */
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
