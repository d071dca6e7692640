/** Tests the writer of SQLite: transactions that share a commit, the writer thread, and its end. */
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqlitePath } from '../src/database/database-file.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { connect, connectReader } from '../src/database/sqlite-connection.ts';
import { sqliteDialect } from '../src/database/sqlite-dialect.ts';
import {
  type Answer,
  SqliteExecutor,
  SqliteStatements,
  type Statement,
} from '../src/database/sqlite-statements.ts';
import { SqliteThread } from '../src/database/sqlite-thread.ts';
import type { Writer } from '../src/database/sqlite-writer.ts';
import { SqliteWriter } from '../src/database/sqlite-writer.ts';
import { migrate } from '../src/migrations/migrate.ts';

interface Notes {
  notes: { id: number; text: string };
}

const nothing = () => {};
const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing };

let directory: string;
let path: string;
/** The SQL of all orders, in order. */
let ran: string[];
let closing: (() => void | Promise<void>)[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chat-kernel-writer-'));
  path = sqlitePath(directory);
  const { database } = open({ threadAfter: 1_000_000 });
  await migrate(database, QUIET);
  await database.close();
  ran = [];
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  await rm(directory, { recursive: true });
});

test('shares commits between waiting transactions, and resolves each after its commit', async () => {
  const { add, texts } = await notes();
  const before = count('commit');
  await Promise.all(Array.from({ length: 120 }, (_, id) => add(id)));
  // The last 20 of 120 do not wait for others to fill their group.
  expect(count('commit') - before).toBe(3);
  expect(await texts()).toHaveLength(120);
});

test('commits a single transaction immediately', async () => {
  const { add } = await notes();
  const before = count('commit');
  await add(1);
  await add(2);
  expect(count('commit') - before).toBe(2);
  expect(count('savepoint shared')).toBe(0);
});

test('rolls back a failed transaction, and no other of the same commit', async () => {
  const { db, add, texts } = await notes();
  const failing = (id: number) =>
    db.transaction().execute(async transaction => {
      await transaction.insertInto('notes').values({ id, text: 'taken back' }).execute();
      throw new Error(`no ${id}`);
    });
  const ended = await Promise.allSettled([add(1), failing(2), add(3), failing(4)]);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await texts()).toEqual(['1', '3']);
  const [first] = await Promise.allSettled([failing(5), add(6)]);
  expect(first).toMatchObject({ reason: new Error('no 5') });
  expect(await texts()).toEqual(['1', '3', '6']);
});

test('fails all transactions of a commit on a full disk, and later ones succeed', async () => {
  const { add, texts, writer } = await notes();
  const pragma = (sql: string) => writer.alone({ sql, parameters: [] });
  await pragma('pragma max_page_count = 4');
  const ended = await Promise.allSettled([add(1), add(2, 'x'.repeat(100_000)), add(3)]);
  expect(ended.map(end => (end.status === 'rejected' ? end.reason.message : 'stored'))).toEqual([
    'database or disk is full',
    'database or disk is full',
    'stored',
  ]);
  await pragma('pragma max_page_count = 1000');
  await add(4);
  expect(await texts()).toEqual(['3', '4']);
});

test('rejects all transactions of a commit that one cannot join, and later ones succeed', async () => {
  const { add, texts, executor } = await notes();
  const { run } = executor;
  executor.run = statement => {
    if (statement.sql === 'savepoint shared') throw new Error('out of memory');
    return run(statement);
  };
  const ended = await Promise.allSettled([add(1), add(2), add(3)]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  executor.run = run;
  await add(4);
  expect(await texts()).toEqual(['3', '4']);
});

test('does not store a statement whose transaction has ended', async () => {
  const { writer, texts } = await notes();
  const insert = { sql: "insert into notes (id, text) values (1, 'alone')", parameters: [] };
  await expect(writer.run(insert)).rejects.toThrow('There is no transaction for: insert into notes');
  expect(await texts()).toEqual([]);
});

test('never returns stale reads to the main thread after an acknowledged write', async () => {
  const { add, texts } = await notes(await openThread());
  for (let id = 0; id < 300; id++) {
    await add(id);
    expect((await texts()).length).toBe(id + 1);
  }
});

test('returns the errors of the database from the thread, and continues', async () => {
  const { add, texts } = await notes(await openThread());
  await add(1);
  await expect(add(1)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 1555 });
  await Promise.all([add(2), add(3)]);
  expect(await texts()).toEqual(['1', '2', '3']);
});

test('rejects pending requests when the thread exits, and continues without it', async () => {
  const { database, said } = open({ thread: new URL('dying-thread.ts', import.meta.url) });
  const { db } = database;
  const add = (key: string) =>
    db
      .transaction()
      .execute(transaction => transaction.insertInto('meta').values({ key, value: '' }).execute());
  await add('before');
  // It exits once it is running and receives this request.
  await expect
    .poll(() =>
      add('die').then(
        () => 'stored',
        ({ message }) => message,
      ),
    )
    .toBe('Storage unavailable: the thread that writes to the database ended.');
  await add('after');
  const keys = (await db.selectFrom('meta').select('key').execute()).map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['before', 'after']));
  await database.close();
  expect(said).toEqual(['The thread that writes to the database ended; the kernel goes on without it.']);
});

test('loses no write while the database moves into its thread', async () => {
  const { database, said } = open();
  const { db } = database;
  let written = 0;
  const until = performance.now() + 500;
  while (performance.now() < until) {
    const key = String(written++);
    await db
      .transaction()
      .execute(transaction => transaction.insertInto('meta').values({ key, value: key }).execute());
  }
  await database.tidy();
  // One row has the version.
  expect((await db.selectFrom('meta').selectAll().execute()).length).toBe(written + 1);
  await database.close();
  expect(said).toEqual([]);
});

test('[SAFE-5] reads what it stored, and starts no thread, if its file was replaced before', async () => {
  const { database, said } = open({ threadAfter: 50 });
  const { db } = database;
  await db
    .transaction()
    .execute(transaction => transaction.insertInto('meta').values({ key: 'stored', value: '' }).execute());
  await rename(path, `${path}.gone`);
  await writeFile(path, '');
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toBe('The database is written to without a thread of its own.');
  expect(await db.selectFrom('meta').select('key').where('key', '=', 'stored').execute()).toHaveLength(1);
  await database.close();
  expect(await readFile(path)).toHaveLength(0);
});

const count = (sql: string): number => ran.filter(order => order === sql).length;

/** A database whose thread starts immediately, and its log. */
function open(options: Parameters<typeof openSqlite>[2] = {}) {
  const said: string[] = [];
  const say = (_: object, sentence: string) => void said.push(sentence);
  const log = { debug: say, info: say, warn: say, error: say };
  return { database: openSqlite(directory, log, { threadAfter: 0, ...options }), said };
}

/** The program of the thread, over the database of notes. */
const openThread = (onGone: (cause: unknown) => void = () => {}): Promise<SqliteThread> =>
  SqliteThread.start(
    new URL('../src/writer-thread.ts', import.meta.url),
    { path, opened: statSync(path) },
    onGone,
  );

/** A database of notes, and its writer. */
async function notes(given?: Writer) {
  const executor = new SqliteExecutor(connect(path));
  const run = executor.run.bind(executor);
  executor.run = (statement: Statement): Answer => {
    ran.push(statement.sql);
    return run(statement);
  };
  const writer = given ?? new SqliteWriter(executor);
  await writer.alone({ sql: 'create table notes (id integer primary key, text text)', parameters: [] });
  const reader = connectReader(path);
  closing.push(
    () => reader.close(),
    () => writer.close(),
  );
  const db = new Kysely<Notes>({ dialect: sqliteDialect(new SqliteStatements(reader), () => writer) });
  const add = (id: number, text = String(id)) =>
    db.transaction().execute(async transaction => {
      await transaction.insertInto('notes').values({ id, text }).execute();
    });
  const texts = async () =>
    (await db.selectFrom('notes').select('text').orderBy('id').execute()).map(({ text }) => text);
  return { db, add, texts, writer, executor };
}
