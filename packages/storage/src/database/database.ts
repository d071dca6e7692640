/** The interface that hides the differences between databases: code outside of this folder works with any of them. */
import type { FleetStore, KernelRecord } from '@chat-kernel/kernel';
import type { Kysely, QueryExecutorProvider, RawBuilder } from 'kysely';
import type { Db } from '../tables/schema.ts';

/** See `keyType` below. */
type KeyType = 'text' | RawBuilder<unknown>;

/**
 * Migrates the tables by one version, in a transaction. It uses no table types, because these belong to the newest
 * version.
 */
export type Migration = (db: Kysely<unknown>, keyType: KeyType, search: SearchIndex) => Promise<void>;

/** Tables of indexed text: those of messages (the default) and of parts of books. */
export type TextTable = 'texts' | 'book_texts';

/** Finds texts by their words, as `search/words.ts` forms them: only letters and digits. */
export interface SearchIndex {
  /**
   * For a migration: creates the tables `texts` and `book_texts`. Their rows are deleted with the last message or the
   * part of a book that refers to them.
   */
  create(db: Kysely<unknown>): Promise<void>;
  /**
   * Returns the number of the text, which is greater than that of any other text in the table. Requires at least one
   * word.
   */
  add(db: QueryExecutorProvider, words: readonly string[], table?: TextTable): Promise<number>;
  /** For a restore: adds texts with their original numbers, which ascend from call to call. */
  put(
    db: QueryExecutorProvider,
    texts: readonly { rowid: number; words: readonly string[] }[],
    table?: TextTable,
  ): Promise<void>;
  /** At the end of a query: locks the found rows, without those that another transaction has locked. */
  readonly lockFree: RawBuilder<unknown>;
  /** Returns a condition on the table: a text has all terms, and one term begins with `beginning`. */
  matches(words: readonly string[], beginning: string, table?: TextTable): RawBuilder<boolean>;
}

/** A kernel that shares its database with others. */
export interface SharingKernel extends Pick<KernelRecord, 'url' | 'name' | 'version'> {
  /** Regularly receives the current time of the database's clock (milliseconds since 1970). */
  follow?(time: number): void;
}

/** Names the possible change: in the log of all kernels, or in the list of kernels. */
export type Hint = Parameters<FleetStore['onHint']>[0];

/** The requirements for sharing a database, besides its rows. */
export interface Sharing extends SharingKernel {
  /** The number that shows the others that this kernel is alive: it holds a lock on it. */
  boot: number;
  /** Changes whenever the session with this lock has broken. */
  sessions(): number;
  /** Calls back when something of this kind may have changed. A hint can get lost. */
  onHint(what: Hint, callback: () => void): void;
  /** Runs work while no other kernel runs such work. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface Database {
  /** The name of the database in errors and in the log, always without a password. */
  readonly name: string;
  readonly db: Db;
  /** SQL type of text that is compared byte by byte: ids, keys, timestamps. */
  readonly keyType: KeyType;
  readonly search: SearchIndex;
  /** Returns a table of these values: `value`, and `place` (its index, from 0). */
  listed(values: readonly string[]): RawBuilder<{ value: string; place: number }>;
  /** This kernel, if it shares the database with others. */
  readonly sharing?: Sharing | undefined;
  /**
   * Copies the data before a migration to this version; returns the copy's path, or null if the database cannot do
   * this.
   */
  copyBefore(version: number): Promise<string | null>;
  /**
   * Throws unless this process is certain to be the only owner of the database, and the database is the one it opened.
   */
  checkOwned(): void;
  /** Reads from the disk itself if the database is a file. Throws if it cannot be read. */
  probe(): Promise<void>;
  /** Bytes of the write-ahead log; 0 if there is none on this machine. */
  logSize(): number;
  /** Regular maintenance of the database's own files. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
