/** Looks at a Postgres database from outside. */
import pg from 'pg';
import type { InspectedDatabase } from './engine.ts';
import { isTaken } from './postgres-lock.ts';
import { nameOf } from './postgres-name.ts';

const CONNECT_TIMEOUT_MS = 5000;

export async function inspectPostgres(url: string): Promise<InspectedDatabase> {
  const config = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const name = nameOf(config);
  const client = new pg.Client(config);
  // The query that waits reports a broken connection; an event without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select to_regclass('meta') is not null as kept");
    const versions = rows[0].kept
      ? (await client.query("select value from meta where key = 'schema_version'")).rows
      : [];
    const size = await client.query('select pg_database_size(current_database()) as size');
    return {
      name,
      size: Number(size.rows[0].size),
      schema: versions[0] ? Number(versions[0].value) : null,
      in_use: await isTaken(client),
      damage: null,
    };
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new Error(`${name} can't be reached: ${message || code}.`, { cause });
  } finally {
    await client.end();
  }
}
