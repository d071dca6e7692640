/** Runs the suite of the store over SQLite and over a real Postgres. */
import { afterAll, describe } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';
import { storeSuite } from './store.suite.ts';

const postgres = await startPostgres().catch((error: unknown): undefined => {
  if (process.env.REQUIRE_ALL) throw error;
  process.stderr.write(`The tests over Postgres are skipped: ${error}\n`);
});
afterAll(() => postgres?.stop());

describe('The store over SQLite', () => storeSuite({ name: 'SQLite', create: async () => null }));
describe.skipIf(!postgres)('The store over Postgres', () =>
  storeSuite({ name: 'Postgres', create: () => (postgres as Postgres).createDatabase() }),
);
