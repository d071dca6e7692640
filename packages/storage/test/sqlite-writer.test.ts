/** Tests how SQLite is written: transactions, the syncs that they wait for, and checkpoints. */
import { readFileSync, statSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { sqlitePath } from '../src/database/database-file.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { connect, connectReader } from '../src/database/sqlite-connection.ts';
import { sqliteDialect } from '../src/database/sqlite-dialect.ts';
import { SqliteStatements } from '../src/database/sqlite-statements.ts';
import { SqliteWriter } from '../src/database/sqlite-writer.ts';
import { SyncedLog, type SyncFile } from '../src/database/synced-log.ts';
import { createTables } from './sqlite-template.ts';

interface Notes {
  notes: { id: number; text: string };
}

let directory: string;
let path: string;

beforeEach(async () => {
  directory = directoryOfTest();
  path = sqlitePath(directory);
  await createTables(directory);
});

test('rolls back a failed transaction, and no other', async () => {
  const { db, add, texts } = await notes();
  const failing = (id: number) =>
    db.transaction().execute(async transaction => {
      await transaction.insertInto('notes').values({ id, text: 'taken back' }).execute();
      throw new Error(`no ${id}`);
    });
  const ended = await Promise.allSettled([add(1), failing(2), add(3), failing(4)]);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await texts()).toEqual(['1', '3']);
});

test('fails a transaction on a full disk, and later ones succeed', async () => {
  const { add, texts, writer } = await notes();
  const pragma = (sql: string) => writer.alone({ sql, parameters: [] });
  await pragma('pragma max_page_count = 1');
  const ended = await Promise.allSettled([add(1), add(2, 'x'.repeat(100_000)), add(3)]);
  expect(ended.map(end => (end.status === 'rejected' ? end.reason.message : 'stored'))).toEqual([
    'stored',
    'database or disk is full',
    'stored',
  ]);
  await pragma('pragma max_page_count = 100000');
  await add(4);
  expect(await texts()).toEqual(['1', '3', '4']);
});

test('returns the errors of the database, and continues', async () => {
  const { add, texts } = await notes();
  await add(1);
  await expect(add(1)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 1555 });
  await Promise.all([add(2), add(3)]);
  expect(await texts()).toEqual(['1', '2', '3']);
});

test('does not store a statement whose transaction has ended', async () => {
  const { writer, texts } = await notes();
  const insert = { sql: "insert into notes (id, text) values (1, 'alone')", parameters: [] };
  expect(() => writer.run(insert)).toThrow('There is no transaction for: insert into notes');
  expect(await texts()).toEqual([]);
});

test('acknowledges and shows nothing before a sync that began after its commit', async () => {
  const syncs: PromiseWithResolvers<void>[] = [];
  const { add, texts } = await notes(() => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  });
  const ended: string[] = [];
  const note = (name: string, work: Promise<unknown>) => void work.then(() => ended.push(name));
  note('1', add(1));
  await tick();
  note('2', add(2));
  note('3', add(3));
  await tick();
  note('read', texts());
  await tick();
  expect([syncs.length, ended]).toEqual([1, []]);
  syncs[0]!.resolve();
  await tick();
  expect([syncs.length, ended]).toEqual([2, ['1']]);
  syncs[1]!.resolve();
  await tick();
  expect([syncs.length, ended.sort()]).toEqual([2, ['1', '2', '3', 'read']]);
  expect(await texts()).toEqual(['1', '2', '3']);
});

test('[SAFE-2] acknowledges and shows nothing after a failed sync, until the next start', async () => {
  let fails = true;
  const { add, texts } = await notes(async () => {
    if (fails) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  });
  const refused = {
    code: 'storage_unavailable',
    message: 'Storage unavailable: the disk failed; start the kernel again.',
  };
  await expect(add(1)).rejects.toMatchObject(refused);
  fails = false;
  await expect(add(2)).rejects.toMatchObject(refused);
  await expect(texts()).rejects.toMatchObject(refused);
});

test('[SAFE-2] moves nothing into the database after a failed sync, also when it is closed', async () => {
  const before = readFileSync(path);
  const { database } = open(async () => {
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  });
  const add = database.db.insertInto('meta').values({ key: 'large', value: 'x'.repeat(8_000_000) });
  await expect(add.execute()).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(database.tidy()).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(database.close()).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('keeps the write-ahead log small under constant load, and the database complete', async () => {
  const { database, said } = open();
  const add = (number: number) =>
    database.db
      .insertInto('meta')
      .values({ key: String(number), value: 'x'.repeat(20_000) })
      .execute();
  for (let number = 0; number < 2000; number += 8)
    await Promise.all(Array.from({ length: 8 }, (_, more) => add(number + more)));
  // 40 MB were written.
  expect(statSync(`${path}-wal`).size).toBeLessThan(24_000_000);
  expect(statSync(path).size).toBeGreaterThan(16_000_000);
  await database.close();
  expect(said).toEqual([]);
  const after = new DatabaseSync(path);
  expect(after.prepare('select count(*) as count from meta').get()?.count).toBe(2001);
  expect(after.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  after.close();
});

test('[SAFE-5] reads what it stored, and makes no checkpoint, if its file was replaced', async () => {
  const { database, said } = open();
  const { db } = database;
  await rename(path, `${path}.gone`);
  await writeFile(path, '');
  for (let number = 0; number < 300; number++)
    await db
      .insertInto('meta')
      .values({ key: String(number), value: 'x'.repeat(20_000) })
      .execute();
  await expect.poll(() => said).toContain('The write-ahead log could not be moved into the database.');
  expect(await db.selectFrom('meta').select('key').where('key', '=', '299').execute()).toHaveLength(1);
  await database.close();
  expect(readFileSync(path)).toHaveLength(0);
});

/** Lets everything run that is not waiting for a sync. */
const tick = () => new Promise(resolve => setTimeout(resolve, 20));

function open(syncFile?: SyncFile) {
  const said: string[] = [];
  const say = (_: object, sentence: string) => void said.push(sentence);
  const log = { debug: say, info: say, warn: say, error: say };
  return { database: openSqlite(directory, log, syncFile), said };
}

/** A database of notes, and its writer. @param sync replaces the sync of the disk, once the table exists */
async function notes(sync?: () => Promise<void>) {
  const connection = connect(path);
  connection.exec('create table notes (id integer primary key, text text)');
  const log = new SyncedLog(path, () => {}, sync);
  const writer = new SqliteWriter(connection, log);
  const reader = connectReader(path);
  onTestFinished(async () => {
    reader.close();
    await writer.close();
    await log.close();
  });
  const db = new Kysely<Notes>({ dialect: sqliteDialect(new SqliteStatements(reader), { writer, log }) });
  const add = (id: number, text = String(id)) =>
    db.transaction().execute(async transaction => {
      await transaction.insertInto('notes').values({ id, text }).execute();
    });
  const texts = async () =>
    (await db.selectFrom('notes').select('text').orderBy('id').execute()).map(({ text }) => text);
  return { db, add, texts, writer };
}
