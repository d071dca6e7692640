/**
 * SQLite with Node's own driver: a single file, every commit on the disk before its promise resolves. A separate thread
 * writes, and this one reads.
 */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '@chat-kernel/kernel';
import { Kysely } from 'kysely';
import type { Schema } from '../tables/schema.ts';
import type { Database } from './database.ts';
import { createPrivateFile, sqlitePath } from './database-file.ts';
import { sameFile } from './directory-lock.ts';
import { connect, connectReader, JOURNAL_SIZE_LIMIT, LARGE_LOG } from './sqlite-connection.ts';
import { aloneBy, listed, sqliteDialect } from './sqlite-dialect.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { SqliteExecutor, SqliteStatements } from './sqlite-statements.ts';
import { SqliteThread } from './sqlite-thread.ts';
import type { Writer } from './sqlite-writer.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { RESTORE, StoreError } from './store-error.ts';

/** Files up to this size are checked completely at each start; larger ones would make it slow. */
const CHECKED_SIZE = 16 * 1024 * 1024;
/** SQLite's codes for a damaged file, or one that is not a SQLite database. */
const DAMAGE: readonly (number | undefined)[] = [11, 26];
/** The space in bytes that SQLite needs at least to open a file: its index of the write-ahead log. */
const LEAST_SPACE = 32 * 1024;

/**
 * Delay before the writer thread starts: short commands and tests do not need it, and a starting kernel has more urgent
 * work.
 */
const THREAD_AFTER_MS = 1000;
/** This file imports the tables; this folder does not. */
const THREAD = new URL(`../writer-thread${extname(import.meta.filename)}`, import.meta.url);

/** Opens <data_dir>/chat-kernel.db and creates it if needed. */
export function openSqlite(
  data_dir: string,
  log: Log,
  { threadAfter = THREAD_AFTER_MS, thread: program = THREAD } = {},
): Database {
  const path = sqlitePath(data_dir);
  let writer: Writer = new SqliteWriter(new SqliteExecutor(open(path)));
  const opened = statSync(path);
  const checkOwned = sameFile(path, opened);
  let thread: SqliteThread | undefined;
  const reader = connectReader(path);
  const present = () => writer;
  const db = new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(reader), present) });

  async function startThread(): Promise<void> {
    try {
      const started = await SqliteThread.start(program, { path, opened }, cause => {
        // Before the thread has taken over, its end loses nothing.
        if (thread === started) goOnWithout(cause);
      });
      // Open transactions end first, so that the two writers never wait for each other's lock.
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

  /** Until it is open again, all requests to the ended thread are refused. */
  function openAgain(): void {
    try {
      checkOwned();
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
    checkOwned,
    async probe() {
      // A separate connection reads from the disk; the others have pages in memory.
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
    logSize: () => logSize(path),
    async tidy() {
      await checkpoint(present, logSize(path) > JOURNAL_SIZE_LIMIT ? 'truncate' : 'passive', log);
      const bytes = logSize(path);
      if (bytes > LARGE_LOG)
        log.warn(
          { bytes },
          'The write-ahead log is large: another process has been reading the database for long.',
        );
    },
    async close() {
      clearTimeout(timer);
      await starting;
      reader.close();
      // SQLite would do so automatically, but not while another process has the file open.
      await checkpoint(present, 'truncate', log);
      await writer.close();
    },
  };
}

const logSize = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

function open(path: string): DatabaseSync {
  try {
    createPrivateFile(path);
    return connect(path, connection => refuseDamage(path, connection));
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const { message, errcode } = cause as Error & { errcode?: number };
    const isDamaged = DAMAGE.includes((errcode ?? 0) & 0xff);
    // SQLite itself only reports an I/O error.
    if (!isDamaged && isFull(dirname(path)))
      throw new StoreError(`The database ${path} can't be opened: the disk is full. ${FREE_SPACE}`, {
        cause,
      });
    const way = isDamaged ? ` ${describeRecovery(path)}` : '';
    throw new StoreError(`The database ${path} can't be opened: ${message}.${way}`, { cause });
  }
}

const FREE_SPACE = 'Free some space on it, at least 1 MiB; then start again.';

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < LEAST_SPACE;
  } catch {
    // The directory itself is the problem; the caller reports it.
    return false;
  }
}

function refuseDamage(path: string, connection: DatabaseSync): void {
  if (statSync(path).size > CHECKED_SIZE) return;
  const found = connection.prepare('pragma quick_check(1)').get()?.quick_check;
  if (found !== 'ok')
    throw new StoreError(`The database ${path} is damaged: ${found}. ${describeRecovery(path)}`);
}

const describeRecovery = (path: string): string => `Keep a copy of ${path}; then ${RESTORE}.`;

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

/** The copy gets its name only once it is complete and on the disk. */
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
