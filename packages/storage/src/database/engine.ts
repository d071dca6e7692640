/** Defines where a database is, and what is known of it from outside. */
import type { RowReader, UnreadableRows } from '../tables/check-rows.ts';
import type { Db } from '../tables/schema.ts';
import type { SharingKernel } from './database.ts';

export interface StorePlace {
  /** Contains the SQLite database, and all bytes without another backend. */
  data_dir: string;
  /** The address of a database server; null: SQLite. */
  url: string | null;
  /** This kernel, if it shares the database with others (FLEET-1). Only a server supports this. */
  kernel?: SharingKernel | undefined;
}

export interface InspectedDatabase {
  /** Its name in errors and in the log, always without a password. */
  name: string;
  /** Bytes; null if the database does not report it or does not exist yet. */
  size: number | null;
  /** Version of its tables; null: the database was never used. */
  schema: number | null;
  /** True if a kernel uses it now. */
  in_use: boolean;
  /** The database's own description of its damage; null if it is intact. */
  damage: string | null;
  /** Unreadable rows by table. */
  unreadable: UnreadableRows[];
  /** Bytes of the write-ahead log; null if there is none, or if the database does not report it. */
  log_size: number | null;
}

/** Checks the rows of an intact database. @param schema version of its tables */
export type LookAtRows = (read: RowReader, schema: number | null) => Promise<UnreadableRows[]>;

/** A database for a backup: read from outside, while a kernel may use it. */
export interface ReadDatabase {
  /** Its name in errors, always without a password. */
  readonly name: string;
  /** Runs work on a consistent snapshot, independent of concurrent writes. One at a time. */
  snapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
