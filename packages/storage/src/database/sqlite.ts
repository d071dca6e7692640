/**
 * SQLite by Node's own driver: a single file, every commit on the disk before its promise resolves. A thread of its own
 * writes, and this one reads.
 */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '@chat-kernel/kernel';
import { Kysely } from 'kysely';
import type { Schema } from '../tables/schema.ts';
import type { Database } from './database.ts';
import type { Engine } from './engine.ts';
import { createPrivateFile } from './private-file.ts';
import { sameFile } from './same-file.ts';
import { connect, connectReader, JOURNAL_SIZE_LIMIT } from './sqlite-connection.ts';
import { aloneBy, listed, sqliteDialect } from './sqlite-dialect.ts';
import { SqliteExecutor } from './sqlite-executor.ts';
import { inspectSqlite } from './sqlite-inspect.ts';
import { sqlitePath } from './sqlite-path.ts';
import { readSqlite } from './sqlite-read.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { RESTORE, StoreError } from './store-error.ts';
import type { Writer } from './writer.ts';

/** Bytes up to which a file is read through at each start; a larger one would make starts slow. */
const CHECKED_SIZE = 16 * 1024 * 1024;
/** Codes of SQLite for a file that is damaged, or none of its own. */
const DAMAGE: readonly (number | undefined)[] = [11, 26];

export const sqlite: Engine<null> = {
  open: ({ data_dir }, log) => openSqlite(data_dir, log),
  inspect: ({ data_dir }) => inspectSqlite(data_dir),
  read: ({ data_dir }) => readSqlite(data_dir),
};

/**
 * Milliseconds after which the thread that writes is started: a command that is soon over, or a test, needs none, and
 * a kernel that starts has more urgent things to do.
 */
const THREAD_AFTER_MS = 1000;
/** It knows the tables, as this folder does not. */
const THREAD = new URL(`../writer-thread${extname(import.meta.filename)}`, import.meta.url);

/** Opens <data_dir>/chat-kernel.db, creating it if need be. */
export function openSqlite(
  data_dir: string,
  log: Log,
  { threadAfter = THREAD_AFTER_MS, thread: program = THREAD } = {},
): Database {
  const path = sqlitePath(data_dir);
  let writer: Writer = new SqliteWriter(new SqliteExecutor(open(path)));
  let thread: SqliteThread | undefined;
  const reader = connectReader(path);
  const present = () => writer;
  const db = new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(reader), present) });

  async function startThread(): Promise<void> {
    try {
      const started = await SqliteThread.start(program, path, cause => {
        // Before it has taken over nothing is lost with it.
        if (thread === started) goOnWithout(cause);
      });
      // What is open ends first, so that the two never wait for each other's lock.
      await writer.close();
      writer = started;
      thread = started;
      if (started.hasEnded) goOnWithout(undefined);
    } catch (error) {
      log.warn({ error }, 'The database is written to without a thread of its own.');
    }
  }

  function goOnWithout(cause: unknown): void {
    log.error(
      { error: cause },
      'The thread that writes to the database ended; the kernel goes on without it.',
    );
    thread = undefined;
    openAgain();
  }

  /** Until it is open again, all that is asked of the thread that has ended is refused. */
  function openAgain(): void {
    try {
      writer = new SqliteWriter(new SqliteExecutor(connect(path)));
    } catch (error) {
      log.error({ error }, 'The database could not be opened again; it is tried again in a second.');
      setTimeout(openAgain, 1000).unref();
    }
  }

  let starting: Promise<void> | undefined;
  const timer = setTimeout(() => {
    starting = startThread();
  }, threadAfter).unref();
  return {
    name: `The database ${path}`,
    db,
    keyType: 'text',
    search: sqliteSearch,
    listed,
    call: ({ name, work }, args) =>
      thread?.call(name, args) ??
      db.transaction().execute(transaction => work(transaction, sqliteSearch, ...args)),
    checkOwned: sameFile(path),
    async probe() {
      // A connection of its own reads what is on the disk; the other ones have pages in memory.
      const fresh = new DatabaseSync(path, { readOnly: true });
      try {
        fresh.prepare('select value from meta limit 1').get();
      } finally {
        fresh.close();
      }
    },
    async copyBefore(version) {
      const target = `${path}.before-v${version}`;
      await copy(present, target);
      return target;
    },
    async tidy() {
      const isLarge = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > JOURNAL_SIZE_LIMIT;
      await checkpoint(present, isLarge ? 'truncate' : 'passive', log);
    },
    async close() {
      clearTimeout(timer);
      await starting;
      reader.close();
      // SQLite would do so by itself, but not while another process has the file open.
      await checkpoint(present, 'truncate', log);
      await writer.close();
    },
  };
}

function open(path: string): DatabaseSync {
  try {
    createPrivateFile(path);
    return connect(path, connection => refuseDamage(path, connection));
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const { message, errcode } = cause as Error & { errcode?: number };
    const way = DAMAGE.includes((errcode ?? 0) & 0xff) ? ` ${wayOutOf(path)}` : '';
    throw new StoreError(`The database ${path} can't be opened: ${message}.${way}`, { cause });
  }
}

function refuseDamage(path: string, connection: DatabaseSync): void {
  if (statSync(path).size > CHECKED_SIZE) return;
  const found = connection.prepare('pragma quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new StoreError(`The database ${path} is damaged: ${found}. ${wayOutOf(path)}`);
}

const wayOutOf = (path: string): string => `Keep a copy of ${path}; then ${RESTORE}.`;

/**
 * Moves the write-ahead log into the database, and with `truncate` empties it. Does not wait for readers of other
 * processes.
 */
async function checkpoint(writer: () => Writer, mode: 'passive' | 'truncate', log: Log): Promise<void> {
  const statement = { sql: `pragma wal_checkpoint(${mode})`, parameters: [] };
  const { rows } = await aloneBy(writer, statement);
  if (rows[0]?.busy)
    log.debug(rows[0], 'The write-ahead log could not be emptied: someone reads the database.');
}

/** The copy has its name only once it is whole and on the disk. */
async function copy(writer: () => Writer, target: string): Promise<void> {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  createPrivateFile(part);
  await aloneBy(writer, { sql: 'vacuum into ?', parameters: [part] });
  chmodSync(part, 0o600);
  sync(part);
  renameSync(part, target);
  sync(dirname(target));
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
