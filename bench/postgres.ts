/** Runs a Postgres while a measure runs. It syncs what it commits. */
import { type PostgresServer, startServer } from '../packages/storage/test/postgres.ts';
import type { Row } from './table.ts';

/** @param measure its name for the message if there is no Postgres and its rows are left out */
export async function withPostgres(
  measure: string,
  use: (server: PostgresServer) => Promise<Row[]>,
): Promise<Row[]> {
  const server = await startServer({ durable: true }).catch((error: unknown): undefined => {
    console.error(`${measure} is left out: ${error}`);
  });
  if (!server) return [];
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}
