/** SQLite by Node's own driver: a single file and connection, every commit on the disk before its promise resolves. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '@chat-kernel/kernel';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Schema } from '../tables/schema.ts';
import type { Database } from './database.ts';
import type { Engine } from './engine.ts';
import { createPrivateFile } from './private-file.ts';
import { sameFile } from './same-file.ts';
import { inspectSqlite } from './sqlite-inspect.ts';
import { sqlitePath } from './sqlite-path.ts';
import { readSqlite } from './sqlite-read.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { RESTORE, StoreError } from './store-error.ts';

/** While the database is opened, when nothing else waits. */
const BUSY_TIMEOUT_MS = 5000;
/** Afterwards a wait would hold up the whole process: `Transactions` tries again. */
const BUSY_TIMEOUT_RUNNING_MS = 0;
/** Bytes of the write-ahead log up to which it is written over from its start, which is faster than to let it grow anew. */
const JOURNAL_SIZE_LIMIT = 16 * 1024 * 1024;
/** Bytes up to which a file is read through at each start; a larger one would make starts slow. */
const CHECKED_SIZE = 16 * 1024 * 1024;
/** Codes of SQLite for a file that is damaged, or none of its own. */
const DAMAGE: readonly (number | undefined)[] = [11, 26];

export const sqlite: Engine<null> = {
  open: ({ data_dir }, log) => openSqlite(data_dir, log),
  inspect: ({ data_dir }) => inspectSqlite(data_dir),
  read: ({ data_dir }) => readSqlite(data_dir),
};

/** Opens <data_dir>/chat-kernel.db, creating it if need be. */
export function openSqlite(data_dir: string, log: Log): Database {
  const path = sqlitePath(data_dir);
  const connection = connect(path);
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: new SqliteStatements(connection) }),
  });
  /** Runs work while no transaction is open, and keeps others from opening one meanwhile. */
  const alone = (work: () => void) => db.connection().execute(async () => work());
  return {
    name: `The database ${path}`,
    db,
    keyType: 'text',
    search: sqliteSearch,
    listed: values => sql`(select key as place, value from json_each(${JSON.stringify(values)}))`,
    checkOwned: sameFile(path),
    async probe() {
      // A connection of its own reads what is on the disk; the other one has pages in memory.
      const fresh = new DatabaseSync(path, { readOnly: true });
      try {
        fresh.prepare('select value from meta limit 1').get();
      } finally {
        fresh.close();
      }
    },
    async copyBefore(version) {
      const target = `${path}.before-v${version}`;
      await alone(() => copy(connection, target));
      return target;
    },
    async tidy() {
      const isLarge = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > JOURNAL_SIZE_LIMIT;
      await alone(() => checkpoint(connection, isLarge ? 'truncate' : 'passive', log));
    },
    async close() {
      // SQLite would do so by itself, but not while another process has the file open.
      await alone(() => checkpoint(connection, 'truncate', log));
      await db.destroy();
    },
  };
}

function connect(path: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    createPrivateFile(path);
    connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    connection.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma journal_size_limit = ${JOURNAL_SIZE_LIMIT};
    `);
    refuseDamage(path, connection);
    connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_RUNNING_MS}`);
    return connection;
  } catch (cause) {
    connection?.close();
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
function checkpoint(connection: DatabaseSync, mode: 'passive' | 'truncate', log: Log): void {
  connection.exec('pragma busy_timeout = 0');
  try {
    const result = connection.prepare(`pragma wal_checkpoint(${mode})`).get();
    if (result?.busy)
      log.debug(result, 'The write-ahead log could not be emptied: someone reads the database.');
  } finally {
    connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_RUNNING_MS}`);
  }
}

/** The copy has its name only once it is whole and on the disk. */
function copy(connection: DatabaseSync, target: string): void {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  createPrivateFile(part);
  connection.prepare('vacuum into ?').run(part);
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
