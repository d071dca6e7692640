/** Migrations, over any database; the list is made longer by one that a later version might have. */
import { expect, test } from 'vitest';
import type { Database, Migration } from '../../src/database.ts';
import { MIGRATIONS, migrate } from '../../src/migrate.ts';
import { openPostgres } from '../../src/postgres.ts';
import { openSqlite } from '../../src/sqlite.ts';
import { newChat } from '../records.ts';
import type { Stage } from '../stage.ts';

const addStars: Migration = async db => {
  await db.schema.alterTable('chats').addColumn('stars', 'integer').execute();
};
const breakDown: Migration = async db => {
  await db.schema.alterTable('chats').addColumn('half', 'integer').execute();
  throw new Error('The migration broke.');
};

export function migrationSuite(stage: Stage): void {
  test('A database of an older version is migrated and keeps its data', async () => {
    const { chat } = await stage.history(3);
    await migrated(stage, [...MIGRATIONS, addStars]);
    expect(stage.logged.info).toEqual(['The database is being migrated.']);
    await withDatabase(stage, async database => {
      const row = await database.db.selectFrom('chats').selectAll().executeTakeFirstOrThrow();
      expect(row).toMatchObject({ id: chat.id, last_position: 3, stars: null });
    });
  });

  test('A database of a newer version is refused by a sentence that says both, and is not touched', async () => {
    await migrated(stage, [...MIGRATIONS, addStars]);
    const known = MIGRATIONS.length;
    await expect(stage.open()).rejects.toThrow(
      new RegExp(`schema version ${known + 1}, and this chat-kernel knows versions up to ${known}\\.`),
    );
    // The refusal gave the lock back.
    await migrated(stage, [...MIGRATIONS, addStars]);
  });

  test('A migration that breaks leaves the version before it', async () => {
    const broken = migrated(stage, [...MIGRATIONS, addStars, breakDown]);
    await expect(broken).rejects.toThrow('The migration broke.');
    await withDatabase(stage, async database => {
      const row = await database.db.selectFrom('meta').selectAll().executeTakeFirstOrThrow();
      expect(row).toEqual({ key: 'schema_version', value: String(MIGRATIONS.length + 1) });
      await database.db
        .insertInto('chats')
        .values({ ...rowOf(), stars: 5 } as never)
        .execute();
      const columns = await database.db.selectFrom('chats').selectAll().executeTakeFirstOrThrow();
      expect(columns).not.toHaveProperty('half');
    });
  });

  test('Opening again migrates nothing', async () => {
    await stage.reopen();
    await stage.reopen();
    expect(stage.logged.info).toEqual([]);
  });
}

const rowOf = () => ({
  ...newChat(),
  toolset: '{}',
  plan: '[]',
  summary: null,
  title_search: null,
  last_position: 0,
});

async function migrated(stage: Stage, migrations: readonly Migration[]): Promise<void> {
  await stage.store.close();
  await withDatabase(stage, database => migrate(database, stage.log, migrations));
}

async function withDatabase(stage: Stage, work: (database: Database) => Promise<void>): Promise<void> {
  const { url, data_dir, log } = stage;
  const database = url === null ? openSqlite(data_dir, log) : await openPostgres(url, log);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
