/** Inspects a Postgres database from outside. */
import pg from 'pg';
import type { RowReader } from '../tables/check-rows.ts';
import { describeDatabase } from './describe-database.ts';
import type { InspectedDatabase, LookAtRows } from './engine.ts';
import { isTaken } from './postgres-lock.ts';

const CONNECT_TIMEOUT_MS = 5000;
/** Rows per read. */
const PAGE = 500;

export async function inspectPostgres(url: string, look: LookAtRows): Promise<InspectedDatabase> {
  const config = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const name = describeDatabase(config);
  const client = new pg.Client(config);
  // The pending query reports a broken connection; an event without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select to_regclass('meta') is not null as kept");
    const versions = rows[0].kept
      ? (await client.query("select value from meta where key = 'schema_version'")).rows
      : [];
    const size = await client.query('select pg_database_size(current_database()) as size');
    const schema = versions[0] ? Number(versions[0].value) : null;
    return {
      name,
      size: Number(size.rows[0].size),
      schema,
      in_use: await isTaken(client),
      damage: null,
      unreadable: await look(createRowReader(client), schema),
      log_size: null,
    };
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new Error(`${name} can't be reached: ${message || code}.`, { cause });
  } finally {
    await client.end();
  }
}

/** Reads by a cursor: a long history does not fit into memory. */
const createRowReader = (client: pg.Client): RowReader =>
  async function* read(sql) {
    await client.query('begin read only');
    try {
      await client.query(`declare found no scroll cursor for ${sql}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${PAGE} from found`);
        if (rows.length === 0) return;
        yield* rows;
      }
    } finally {
      await client.query('rollback');
    }
  };
