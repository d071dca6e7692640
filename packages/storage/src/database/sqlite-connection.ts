/** Opens connections to a SQLite database. */
import { DatabaseSync } from 'node:sqlite';

/** Used while the database is opened, when nothing else waits. */
const BUSY_TIMEOUT_MS = 5000;
/** Used afterwards: waiting would block all other work, so `Transactions` retries instead. */
const BUSY_TIMEOUT_RUNNING_MS = 0;
/** Size of the write-ahead log up to which it is overwritten from its start, which is faster than growing it again. */
const JOURNAL_SIZE_LIMIT = 16 * 1024 * 1024;

/** Size of the write-ahead log from which on it is reported: it cannot shrink while another process reads. */
export const LARGE_LOG = 4 * JOURNAL_SIZE_LIMIT;

/**
 * A connection that writes. Its commits are in the write-ahead log, which is not synced by them: see `SyncedLog`. Only
 * checkpoints, and the first write after one, sync.
 * @param look check of the database before it is used; may throw
 */
export function connect(path: string, look: (connection: DatabaseSync) => void = () => {}): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    connection.exec(`
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma wal_autocheckpoint = 0;
      pragma foreign_keys = on;
      pragma journal_size_limit = ${JOURNAL_SIZE_LIMIT};
    `);
    look(connection);
    connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_RUNNING_MS}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A connection that sees everything committed, and never writes. */
export function connectReader(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_RUNNING_MS });
  connection.exec('pragma query_only = on');
  return connection;
}
