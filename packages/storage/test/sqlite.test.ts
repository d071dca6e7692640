/**
 * Tests behavior specific to SQLite: files and their modes, the write-ahead log, copies, query plans, cached
 * statements.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listChats } from '../src/chats/chat-rows.ts';
import { lastCompaction, messagePage, messagesFrom, messagesOfTurn } from '../src/chats/messages.ts';
import { unfinishedTurns } from '../src/chats/turns.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { sqliteDialect } from '../src/database/sqlite-dialect.ts';
import { sqliteSearch } from '../src/database/sqlite-search.ts';
import { SqliteStatements } from '../src/database/sqlite-statements.ts';
import { MIGRATIONS, migrate, SCHEMA_VERSION } from '../src/migrations/migrate.ts';
import { newMessages } from '../src/search/new-texts.ts';
import type { Db, Schema } from '../src/tables/schema.ts';
import { newMessage } from './records.ts';
import { Stage } from './stage.ts';

const MINUTE = 60_000;

describe('SQLite', () => {
  const stage = new Stage();
  const path = (file: string) => join(stage.data_dir, file);
  const size = async (file: string) => (await stat(path(file))).size;

  test('makes the data directory and all its files accessible only to their owner', async () => {
    await stage.store.close();
    stage.data_dir = path('deeper/still');
    stage.store = await stage.open();
    await stage.chat();
    expect((await stat(stage.data_dir)).mode & 0o777).toBe(0o700);
    const files = await readdir(stage.data_dir);
    const names = [
      'chat-kernel.db',
      'chat-kernel.db-shm',
      'chat-kernel.db-wal',
      'chat-kernel.lock',
      'chat-kernel.used.json',
    ];
    expect(files.sort()).toEqual(names);
    for (const file of files) expect((await stat(path(file))).mode & 0o777, file).toBe(0o600);
  });

  test('commits to disk, and enforces references', async () => {
    await stage.store.close();
    const database = openSqlite(stage.data_dir, stage.log);
    const pragma = async (name: string) =>
      Object.values(
        (await database.db.executeQuery<object>(CompiledQuery.raw(`pragma ${name}`))).rows[0]!,
      )[0];
    expect(await pragma('journal_mode')).toBe('wal');
    // Commits are synced by the kernel, and checkpoints by SQLite.
    expect(await pragma('synchronous')).toBe(1);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(0);
    await database.tidy();
    expect(await pragma('busy_timeout')).toBe(0);
    await database.close();
  });

  test('keeps the write-ahead log small during many writes, reuses it from its start, and empties it on close', async () => {
    const chat = await stage.chat();
    for (let count = 0; count < 150; count++) {
      await stage.turn(chat.id, { content: [{ type: 'text', text: 'x'.repeat(200_000) }] });
    }
    expect(await size('chat-kernel.db-wal')).toBeLessThan(24_000_000);
    const large = await size('chat-kernel.db-wal');
    expect(large).toBeGreaterThan(0);
    stage.clock.pass(MINUTE);
    // The maintenance runs between these.
    for (let count = 0; count < 10; count++) await stage.chat();
    expect(await size('chat-kernel.db-wal')).toBeGreaterThanOrEqual(large);
    const reader = new DatabaseSync(path('chat-kernel.db'), { readOnly: true });
    reader.prepare('select count(*) from chats').get();
    await stage.store.close();
    expect(await size('chat-kernel.db-wal')).toBe(0);
    reader.close();
  });

  test('is not blocked by an external reader of the file', async () => {
    await stage.chat();
    const reader = new DatabaseSync(path('chat-kernel.db'), { readOnly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from chats').get();
    await stage.chat();
    const start = performance.now();
    stage.clock.pass(MINUTE);
    // The maintenance runs between these.
    for (let count = 0; count < 10; count++) await stage.chat();
    expect(performance.now() - start).toBeLessThan(4500);
    // A log that grew too large while it could not be overwritten is truncated.
    const chat = await stage.chat();
    for (let count = 0; count < 35; count++) {
      await stage.turn(chat.id, { content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] });
    }
    expect(stage.store.logSize()).toBeGreaterThan(64 * 1024 * 1024);
    expect(stage.store.logSize()).toBe(await size('chat-kernel.db-wal'));
    stage.clock.pass(MINUTE);
    await expect
      .poll(() => stage.logged.warn)
      .toContainEqual(expect.stringMatching(/write-ahead log is large/));
    reader.close();
    stage.clock.pass(MINUTE);
    await expect.poll(() => size('chat-kernel.db-wal')).toBeLessThan(17_000_000);
    expect(stage.logged.error).toEqual([]);
  });

  test('copies the database once and completely before a migration', async () => {
    await stage.history(2);
    await stage.store.close();
    expect(await readdir(stage.data_dir)).not.toContainEqual(expect.stringContaining('before'));
    const target = path(`chat-kernel.db.before-v${SCHEMA_VERSION + 1}`);
    await writeFile(`${target}.part`, 'left by a crash');
    const database = openSqlite(stage.data_dir, stage.log);
    await migrate(database, stage.log, [
      ...MIGRATIONS,
      db => db.schema.alterTable('chats').addColumn('stars', 'integer').execute(),
    ]);
    await database.close();
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${target}.part`)).toBe(false);
    const copy = new DatabaseSync(target, { readOnly: true });
    expect({ ...copy.prepare('select value from meta').get() }).toEqual({ value: String(SCHEMA_VERSION) });
    expect(copy.prepare('select * from messages').all()).toHaveLength(2);
    expect(copy.prepare('select * from chats').get()).not.toHaveProperty('stars');
    copy.close();
  });

  test('names a file that is not a database in the error, and releases the lock', async () => {
    await stage.store.close();
    await writeFile(path('chat-kernel.db'), 'This is no database, whatever its name says. '.repeat(100));
    const refused =
      /^The database .*chat-kernel\.db can't be opened: file is not a database\. Keep a copy of .*chat-kernel\.db; then put the old one back, or restore a backup into an empty directory \(chat-kernel restore FILE --data DIR\)\.$/;
    await expect(stage.open()).rejects.toThrow(refused);
    await expect(stage.open()).rejects.toThrow(refused);
    await truncate(path('chat-kernel.db'), 0);
    await expect(stage.open()).rejects.toThrow('is missing or empty, but its data directory');
    const empty = new DatabaseSync(path('chat-kernel.db'));
    empty.exec('create table t (x); drop table t');
    empty.close();
    await expect(stage.open()).rejects.toThrow('is missing or empty, but its data directory');
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['without its header', bytes => bytes.fill(0, 0, 100)],
    ['with empty pages', bytes => bytes.fill(0, 8192, Math.floor(bytes.length / 2))],
    [
      'with pages of noise',
      bytes => {
        for (let at = 8192; at < bytes.length; at++) bytes.writeUInt8((at * 31) & 0xff, at);
        return bytes;
      },
    ],
    ['whose end is missing', bytes => bytes.subarray(0, 12_288)],
  ])('[SAFE-2] rejects a database %s, and leaves it unchanged', async (_, damage) => {
    await stage.store.close();
    const damaged = damage(await readFile(path('chat-kernel.db')));
    await writeFile(path('chat-kernel.db'), damaged);
    await expect(stage.open()).rejects.toThrow(
      /^The database .*chat-kernel\.db (is damaged|can't be opened): .* Keep a copy of .*chat-kernel\.db; then put the old one back, /,
    );
    expect((await readFile(path('chat-kernel.db'))).equals(damaged)).toBe(true);
  });

  test('detects by its files that an unmarked directory has been used', async () => {
    await stage.store.close();
    for (const [name, sign] of [
      ['images/00/x', 'it holds images/'],
      ['files/00/x', 'it holds files/'],
      ['chat-kernel.db.before-v9', 'it holds chat-kernel.db.before-v9'],
      ['chat-kernel.db-wal', 'it holds chat-kernel.db-wal'],
    ] as const) {
      stage.data_dir = path(`unmarked-${name.replaceAll('/', '-')}`);
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), 'x');
      await expect(stage.open()).rejects.toThrow(sign);
      expect(existsSync(path('chat-kernel.db'))).toBe(false);
      expect(await readFile(path(name), 'utf8')).toBe('x');
      stage.data_dir = dirname(stage.data_dir);
    }
  });

  test('accepts the leftovers of a first start that was killed', async () => {
    await stage.store.close();
    stage.data_dir = path('fresh');
    await mkdir(stage.data_dir);
    await openSqlite(stage.data_dir, stage.log).close();
    stage.store = await stage.open();
    await stage.store.ping();
  });

  test('reports a full disk in the error of a write, and later writes succeed', async () => {
    const chat = await stage.chat();
    await stage.store.close();
    const database = openSqlite(stage.data_dir, stage.log);
    const { db } = database;
    await sql`pragma max_page_count = 1`.execute(db);
    const write = () =>
      db.transaction().execute(transaction =>
        transaction
          .insertInto('messages')
          .values({
            ...newMessage(chat.id),
            position: 1,
            sender: null,
            content: JSON.stringify('x'.repeat(1_000_000)),
          })
          .execute(),
      );
    await expect(write()).rejects.toThrow('database or disk is full');
    await sql`pragma max_page_count = 1000000`.execute(db);
    await write();
    await database.close();
  });

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['the last page of messages', db => messagePage(db, 'c', { limit: 100 })],
    ['an older page of messages', db => messagePage(db, 'c', { limit: 100, before: 900_000 })],
    ['messages from a position on', db => messagesFrom(db, 'c', 5, 100)],
    ['the messages of a turn', db => messagesOfTurn(db, 'c', 't')],
    ['the last compaction marker', db => lastCompaction(db, 'c', 900_000)],
    ['the newest chats', db => listChats(db, { limit: 50 })],
    ['older chats', db => listChats(db, { limit: 50, before: 'c' })],
    ['the chats of a shelf', db => listChats(db, { limit: 50, before: 'c', shelf: 'main' })],
    ['the chats of a project', db => listChats(db, { limit: 50, project: 'p' })],
  ])('reads %s in order from an index, for any number of rows', async (_, read) => {
    const plan = await planOf(path('chat-kernel.db'), read);
    expect(plan.join('\n')).toMatch(/USING (COVERING )?INDEX/);
    expect(plan.join('\n')).not.toContain('TEMP B-TREE');
  });

  test('reads a page of messages as a range of one index', async () => {
    const page = (db: Db) => messagePage(db, 'c', { limit: 100, before: 900_000 });
    const plan = await planOf(path('chat-kernel.db'), page);
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH .*\(chat_id=\? AND position>\? AND position<\?\)$/),
    ]);
  });

  test('finds messages that are not indexed yet by an index', async () => {
    const plan = await planOf(path('chat-kernel.db'), db => newMessages(db, sqliteSearch));
    expect(plan).toEqual([expect.stringMatching(/^SEARCH messages USING INDEX messages_by_text/)]);
  });

  test('finds unfinished turns by an index', async () => {
    const plan = await planOf(path('chat-kernel.db'), unfinishedTurns);
    expect(plan[0]).toMatch(/^SEARCH turns USING INDEX turns_by_status/);
  });
});

test('caches statements by their SQL, and evicts unused ones', () => {
  const connection = new DatabaseSync(':memory:');
  const statements = new SqliteStatements(connection);
  const run = (sql: string) => statements.run({ sql, parameters: [] });
  run('select 1');
  run('select 2');
  for (let number = 3; number < 300; number++) {
    run(`select ${number}`);
    run('select 1');
  }
  expect(['select 1', 'select 2', 'select 299'].map(sql => statements.keeps(sql))).toEqual([
    true,
    false,
    true,
  ]);
  connection.close();
});

/** SQLite's plan for the query that `read` makes. */
async function planOf(path: string, read: (db: Db) => Promise<unknown>): Promise<string[]> {
  const connection = new DatabaseSync(path);
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(new SqliteStatements(connection)),
    log: event => void asked.push(event.query),
  });
  await read(db);
  const { sql: text, parameters } = asked[0]!;
  const plan = connection.prepare(`explain query plan ${text}`).all(...(parameters as string[]));
  connection.close();
  return plan.map(step => String(step.detail));
}
