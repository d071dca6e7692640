/** A connection that writes to a SQLite database: every commit is on the disk before it is answered. */
import { DatabaseSync } from 'node:sqlite';

/** While the database is opened, when nothing else waits. */
const BUSY_TIMEOUT_MS = 5000;
/** Afterwards a wait would hold up what is behind it: `Transactions` tries again. */
const BUSY_TIMEOUT_RUNNING_MS = 0;
/** Bytes of the write-ahead log up to which it is written over from its start, which is faster than to let it grow anew. */
export const JOURNAL_SIZE_LIMIT = 16 * 1024 * 1024;

/** @param look looks at the database before it is used, and may throw */
export function connect(path: string, look: (connection: DatabaseSync) => void = () => {}): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    connection.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
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

/** A connection that sees all that is committed, and writes nothing. */
export function connectReader(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_RUNNING_MS });
  connection.exec('pragma query_only = on');
  return connection;
}
