/**
 * What differs between the databases, and nothing else does: everything outside of `sqlite.ts` and
 * `postgres.ts` works on any of them.
 */
import type { Kysely, RawBuilder } from 'kysely';
import type { Db } from './schema.ts';

/** See `keyType` below. */
export type KeyType = 'text' | RawBuilder<unknown>;

/** One step forward, run in a transaction. It knows no table types: those are of the newest version. */
export type Migration = (db: Kysely<unknown>, keyType: KeyType) => Promise<void>;

export interface Database {
  /** What errors and the log call it; never with a password. */
  readonly name: string;
  readonly db: Db;
  /** SQL type of text that is compared byte by byte: ids, keys, timestamps. */
  readonly keyType: KeyType;
  /** Copies the data before a migration to this version; answers where to, or null where the database can't. */
  copyBefore(version: number): Promise<string | null>;
  /** Throws while it is not certain that this process alone owns the database. */
  checkOwned(): void;
  /** Regular upkeep of the database's own files. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
