/**
 * Recognizes failures outside of the program that may be temporary: the disk is full, the server is unreachable, or a
 * file is missing.
 */
import { KernelError } from '@chat-kernel/protocol';

/** SQLite's primary result codes → what is wrong. */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'another process holds the database',
  6: 'another process holds the database',
  8: 'the database cannot be written',
  10: 'the disk fails',
  11: 'the database is damaged',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  26: 'the database is damaged',
};
/** Codes of the file system and the network → what is wrong. */
const SYSTEM: Readonly<Record<string, string>> = {
  EDQUOT: 'the disk is full',
  EIO: 'the disk fails',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk cannot be written',
  EMFILE: 'too many files are open',
  ECONNREFUSED: 'the database does not answer',
  ECONNRESET: 'the database does not answer',
  EHOSTUNREACH: 'the database does not answer',
  ENOTFOUND: 'the database does not answer',
  EPIPE: 'the database does not answer',
  ETIMEDOUT: 'the database does not answer',
};
/** Classes of Postgres's codes (SQLSTATE): connection, resources, operator intervention, system errors. */
const POSTGRES: Readonly<Record<string, string>> = {
  '08': 'the database does not answer',
  '53': 'the database has no room',
  '57': 'the database does not answer',
  '58': 'the disk of the database fails',
};
const READ_ONLY = '25006';
/** A transaction in which this process was silent for too long, because it was suspended or overloaded. */
const SILENT = '25P03';
/** The driver's messages for a connection that broke or failed; it sets no code. */
const BROKEN =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

const SQLITE_BUSY = 5;

/** True if an error is already the one for callers. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof KernelError && error.code === 'storage_unavailable';

/** True if another process has the database locked at the moment. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/**
 * Converts a failure to the error for callers (SAFE-2). Undefined if it is a bug in the program.
 * @returns KernelError storage_unavailable
 */
export function unavailable(error: unknown): KernelError | undefined {
  const why = describeUnavailability(error);
  return why === undefined ? undefined : storageUnavailable(why, error);
}

export const storageUnavailable = (why: string, cause?: unknown): KernelError =>
  new KernelError('storage_unavailable', `Storage unavailable: ${why}.`, { cause });

function describeUnavailability(error: unknown): string | undefined {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return SQLITE[sqlite];
  if (typeof code === 'string') {
    if (Object.hasOwn(SYSTEM, code)) return SYSTEM[code];
    if (code === SILENT) return 'a change took too long';
    if (code === READ_ONLY) return 'the database cannot be written';
    return /^[0-9A-Z]{5}$/.test(code) ? POSTGRES[code.slice(0, 2)] : undefined;
  }
  return BROKEN.test(message) ? 'the database does not answer' : undefined;
}

/** Returns the primary code of a SQLite error; extended codes have it in their low byte. */
function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}
