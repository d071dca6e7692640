/**
 * SQLite with Node's own driver: a single file, every commit on the disk before its promise resolves. Statements run in
 * this thread, syncs and checkpoints in others.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '@chat-kernel/kernel';
import { Kysely } from 'kysely';
import type { Schema } from '../tables/schema.ts';
import { CheckpointThread } from './checkpoint-thread.ts';
import type { Database } from './database.ts';
import { createPrivateFile, sqlitePath } from './database-file.ts';
import { sameFile } from './directory-lock.ts';
import { connect, connectReader, LARGE_LOG } from './sqlite-connection.ts';
import { listed, sqliteDialect } from './sqlite-dialect.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { SqliteStatements } from './sqlite-statements.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { RESTORE, StoreError } from './store-error.ts';
import { SyncedLog, type SyncFile } from './synced-log.ts';
import { storageUnavailable } from './unavailable.ts';

/** Files up to this size are checked completely at each start; larger ones would make it slow. */
const CHECKED_SIZE = 16 * 1024 * 1024;
/** How each file of SQLite begins. */
const HEAD = 'SQLite format 3\0';
/** SQLite's codes for a damaged file, or one that is not a SQLite database. */
const DAMAGE: readonly (number | undefined)[] = [11, 26];
/** The space in bytes that SQLite needs at least to open a file: its index of the write-ahead log. */
const LEAST_SPACE = 32 * 1024;

/** Pages by which the write-ahead log grows between two checkpoints: 4 MiB, as in SQLite itself. */
const CHECKPOINT_PAGES = 1000;
/** Syncs after which the pages are counted again. */
const SYNCS_PER_COUNT = 8;

/** Opens <data_dir>/chat-kernel.db and creates it if needed. @param syncFile only in tests */
export function openSqlite(data_dir: string, log: Log, syncFile?: SyncFile): Database {
  const path = sqlitePath(data_dir);
  const connection = open(path);
  const opened = statSync(path);
  // Stays open, because to close it would release the locks of SQLite in this process.
  const file = openSync(path, 'r');
  const reader = connectReader(path);
  // Moves nothing.
  const count = reader.prepare('pragma wal_checkpoint(noop)');
  const pagesInLog = () => count.get()?.log as number;
  let checkpointAt = CHECKPOINT_PAGES;
  let syncs = 0;
  const synced = new SyncedLog(
    path,
    () => {
      if (++syncs % SYNCS_PER_COUNT === 0 && pagesInLog() >= checkpointAt) void checkpoint();
    },
    syncFile,
  );
  const writer = new SqliteWriter(connection, synced);
  const thread = new CheckpointThread({ path, opened });
  let running: Promise<void> | undefined;

  function checkpoint(): Promise<void> {
    running ??= moveLog().finally(() => {
      running = undefined;
      checkpointAt = pagesInLog() + CHECKPOINT_PAGES;
    });
    return running;
  }

  async function moveLog(): Promise<void> {
    try {
      // Most of it while the kernel writes, and only the rest while it waits.
      await thread.checkpoint();
      await writer.pause(() => thread.restartLog());
    } catch (error) {
      log.error({ error }, 'The write-ahead log could not be moved into the database.');
    }
  }

  return {
    name: `The database ${path}`,
    db: new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(reader), { writer, log: synced }) }),
    keyType: 'text',
    search: sqliteSearch,
    listed,
    checkOwned: sameFile(path, opened),
    async probe() {
      refuseDamagedHead(file);
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
      await copy(writer, target);
      return target;
    },
    logSize: () => logSize(path),
    async tidy() {
      synced.check();
      // Another process may have kept it from being moved.
      if (pagesInLog() >= CHECKPOINT_PAGES) await checkpoint();
      const bytes = logSize(path);
      if (bytes > LARGE_LOG)
        log.warn(
          { bytes },
          'The write-ahead log is large: another process has been reading the database for long.',
        );
    },
    async close() {
      await running;
      await thread.close();
      // SQLite would do so automatically, but not while another process has the file open. It fails after a failed sync:
      // then nothing is closed, because SQLite would move a damaged log into the database.
      const { rows } = await writer.alone({ sql: 'pragma wal_checkpoint(truncate)', parameters: [] });
      if (rows[0]?.busy)
        log.debug(rows[0], 'The write-ahead log could not be emptied: someone reads the database.');
      await writer.close();
      await synced.close();
      reader.close();
      closeSync(file);
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

/** The first page may be in the log, which hides its damage in the file from all connections. */
function refuseDamagedHead(file: number): void {
  const head = Buffer.alloc(HEAD.length);
  readSync(file, head, 0, head.length, 0);
  if (head.toString('latin1') !== HEAD) throw storageUnavailable('the database is damaged');
}

function refuseDamage(path: string, connection: DatabaseSync): void {
  if (statSync(path).size > CHECKED_SIZE) return;
  const found = connection.prepare('pragma quick_check(1)').get()?.quick_check;
  if (found !== 'ok')
    throw new StoreError(`The database ${path} is damaged: ${found}. ${describeRecovery(path)}`);
}

const describeRecovery = (path: string): string => `Keep a copy of ${path}; then ${RESTORE}.`;

/** The copy gets its name only once it is complete and on the disk. */
async function copy(writer: SqliteWriter, target: string): Promise<void> {
  const part = `${target}.part`;
  rmSync(part, { force: true });
  createPrivateFile(part);
  await writer.alone({ sql: 'vacuum into ?', parameters: [part] });
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
