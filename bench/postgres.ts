/** A Postgres for as long as a measure takes. It syncs what it commits. */
import { type Postgres, startPostgres } from '../packages/storage/test/postgres.ts';
import type { Row } from './table.ts';

/** @param measure its name, which is said where there is no Postgres and its rows are left out */
export async function withPostgres(
  measure: string,
  use: (server: Postgres) => Promise<Row[]>,
): Promise<Row[]> {
  const server = await startPostgres({ durable: true }).catch((error: unknown): undefined => {
    console.error(`${measure} is left out: ${error}`);
  });
  if (!server) return [];
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}
