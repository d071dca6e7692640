/** Failures that lie outside of the program and may pass: the disk is full, the server is away, a file is gone. */
import { KernelError } from '@chat-kernel/protocol';

/** Primary result codes of SQLite → what is wrong. */
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
/** Classes of Postgres's codes (SQLSTATE): connection, resources, the server's operator, its system. */
const POSTGRES: Readonly<Record<string, string>> = {
  '08': 'the database does not answer',
  '53': 'the database has no room',
  '57': 'the database does not answer',
  '58': 'the disk of the database fails',
};
const READ_ONLY = '25006';
/** A transaction in which this process was silent for too long, stopped or starved. */
const SILENT = '25P03';
/** Words of the driver for a connection that broke, or could not be made; it gives them no code. */
const BROKEN =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

const SQLITE_BUSY = 5;

/** Whether an error is the one for callers already. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof KernelError && error.code === 'storage_unavailable';

/** Whether another process holds the database for the moment. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/**
 * The error for callers (SAFE-2); undefined where the failure is none of these, and so a mistake of the program.
 * @returns KernelError storage_unavailable
 */
export function unavailable(error: unknown): KernelError | undefined {
  const why = reasonOf(error);
  return why === undefined ? undefined : storageUnavailable(why, error);
}

export const storageUnavailable = (why: string, cause?: unknown): KernelError =>
  new KernelError('storage_unavailable', `The kernel cannot store anything now: ${why}.`, { cause });

function reasonOf(error: unknown): string | undefined {
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

/** The primary code of an error of SQLite, whose extended ones have it in their low byte. */
function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}
