/** Tests migrations on each database; the list gets one more that a later version might have. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Migration } from '../../src/database/database.ts';
import { MIGRATIONS, migrate, SCHEMA_VERSION, schemaVersion } from '../../src/migrations/migrate.ts';
import { encode } from '../../src/tables/text.ts';
import { chatColumns } from '../columns.ts';
import { NOW, newChat } from '../records.ts';
import type { Stage } from '../stage.ts';

const addStars: Migration = async db => {
  await db.schema.alterTable('chats').addColumn('stars', 'integer').execute();
};
const breakDown: Migration = async db => {
  await db.schema.alterTable('chats').addColumn('half', 'integer').execute();
  throw new Error('The migration broke.');
};

export function migrationSuite(stage: Stage): void {
  test('migrates a database of an older version and keeps its data', async () => {
    const { chat } = await stage.history(3);
    await migrated(stage, [...MIGRATIONS, addStars]);
    expect(stage.logged.info).toEqual(['The database is being migrated.']);
    await stage.withDatabase(async database => {
      const row = await database.db.selectFrom('chats').selectAll().executeTakeFirstOrThrow();
      expect(row).toMatchObject({ id: chat.id, last_position: 3, stars: null });
    });
  });

  test('rejects a database of a newer version with both versions, and does not change it', async () => {
    await migrated(stage, [...MIGRATIONS, addStars]);
    const known = SCHEMA_VERSION;
    await expect(stage.open()).rejects.toThrow(
      new RegExp(`schema version ${known + 1}, and this chat-kernel knows versions up to ${known}\\.`),
    );
    // The refusal released the lock.
    await migrated(stage, [...MIGRATIONS, addStars]);
  });

  test('refuses a database from before the first release', async () => {
    await stage.empty();
    await stage.withDatabase(async database => {
      await schemaVersion(database);
      await database.db.insertInto('meta').values({ key: 'schema_version', value: '17' }).execute();
    });
    await expect(stage.open()).rejects.toThrow(
      / has tables from before the first release, older than version 18\. /,
    );
  });

  test('keeps the previous version after a failed migration', async () => {
    const broken = migrated(stage, [...MIGRATIONS, addStars, breakDown]);
    await expect(broken).rejects.toThrow('The migration broke.');
    await stage.withDatabase(async database => {
      const row = await database.db.selectFrom('meta').selectAll().executeTakeFirstOrThrow();
      expect(row).toEqual({ key: 'schema_version', value: String(SCHEMA_VERSION + 1) });
      await database.db
        .insertInto('chats')
        .values({ ...rowOf(), stars: 5 } as never)
        .execute();
      const columns = await database.db.selectFrom('chats').selectAll().executeTakeFirstOrThrow();
      expect(columns).not.toHaveProperty('half');
    });
  });

  test('keeps the chats and images of a database of the first version', async () => {
    const [chat, image] = [newChat(), crypto.randomUUID()];
    await stage.empty();
    await stage.withDatabase(async database => {
      await migrate(database, stage.log, MIGRATIONS.slice(0, 1));
      const columns = await chatColumns(database);
      const row = Object.fromEntries(
        Object.entries(rowOf(chat)).filter(([column]) => columns.includes(column)),
      );
      const images = { id: image, chat_id: chat.id, media_type: 'image/png', created_at: NOW };
      const image_uses = { chat_id: chat.id, image_id: image };
      for (const [table, values] of Object.entries({ chats: row, images, image_uses }))
        await database.db
          .insertInto(table as 'chats')
          .values(values as never)
          .execute();
    });
    const folder = join(stage.data_dir, 'images', image.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, image), 'bytes');
    stage.store = await stage.open();
    expect(await stage.store.chats.get(chat.id)).toEqual(chat);
    expect(await stage.store.images.get(image)).toMatchObject({ id: image, chat_id: chat.id });
    await stage.store.chats.delete(chat.id);
    expect(await readdir(folder)).toEqual([]);
  });

  test('migrates nothing when it opens again', async () => {
    await stage.reopen();
    await stage.reopen();
    expect(stage.logged.info).toEqual([]);
  });
}

const rowOf = (chat = newChat()) => ({
  ...encode(chat, ['notebook']),
  title_search: null,
  last_position: 0,
});

async function migrated(stage: Stage, migrations: readonly Migration[]): Promise<void> {
  await stage.store.close();
  await stage.withDatabase(database => migrate(database, stage.log, migrations));
}
