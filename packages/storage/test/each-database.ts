/** Runs a suite over SQLite and over a real Postgres. */
import { afterAll, describe } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';
import type { TestDatabase } from './stage.ts';

/** Describes the tests of a file. @param name subject of the tests, such as "The store" */
export async function overEachDatabase(name: string, suite: (database: TestDatabase) => void): Promise<void> {
  const postgres = await startPostgres().catch((error: unknown): undefined => {
    if (process.env.REQUIRE_ALL) throw error;
    process.stderr.write(`The tests over Postgres are skipped: ${error}\n`);
  });
  afterAll(() => postgres?.stop());
  describe(`${name} over SQLite`, () => suite({ name: 'SQLite', create: async () => null }));
  describe.skipIf(!postgres)(`${name} over Postgres`, () =>
    suite({
      name: 'Postgres',
      create: () => (postgres as Postgres).createDatabase(),
      remove: url => (postgres as Postgres).dropDatabase(url),
    }),
  );
}
