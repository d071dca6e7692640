/** The differences between the databases: everything outside of this folder works on any of them. */
import type { FleetStore, KernelRecord } from '@chat-kernel/kernel';
import type { Kysely, QueryExecutorProvider, RawBuilder } from 'kysely';
import type { Db } from '../tables/schema.ts';

/** See `keyType` below. */
export type KeyType = 'text' | RawBuilder<unknown>;

/** A step forward, run in a transaction. It knows no table types: those are of the newest version. */
export type Migration = (db: Kysely<unknown>, keyType: KeyType, search: SearchIndex) => Promise<void>;

/** Tables of words: those of messages, which count where no table is named, and those of parts of books. */
export type TextTable = 'texts' | 'book_texts';

/** Finds texts by their words, which come as `search/words.ts` forms them: letters and digits alone. */
export interface SearchIndex {
  /** For a migration: the table `texts`, whose rows go with the last message that has their number. */
  create(db: Kysely<unknown>): Promise<void>;
  /** For a migration: the table `book_texts`, whose rows go with the part of a book that has their number. */
  createOfBooks(db: Kysely<unknown>): Promise<void>;
  /** For a migration: empties the index, made as this version makes it. False where nothing has to change. */
  renew(db: Kysely<unknown>): Promise<boolean>;
  /** Returns the text's number, which is greater than that of any text of the table. At least one word. */
  add(db: QueryExecutorProvider, words: readonly string[], table?: TextTable): Promise<number>;
  /** For a restore: adds texts by the numbers that they had, which ascend from call to call. */
  put(
    db: QueryExecutorProvider,
    texts: readonly { rowid: number; words: readonly string[] }[],
    table?: TextTable,
  ): Promise<void>;
  /** A condition on the table: all words are in it, and one that has this beginning. */
  matches(words: readonly string[], beginning: string, table?: TextTable): RawBuilder<boolean>;
}

/**
 * A transaction that is known by its name, so that it can run in another thread. What it is given must be such as can
 * be sent there.
 */
export interface Procedure<Args extends unknown[]> {
  name: string;
  work(db: Db, index: SearchIndex, ...args: Args): Promise<void>;
}

/** A kernel that shares its database with others. */
export interface SharingKernel extends Pick<KernelRecord, 'url' | 'name' | 'version'> {
  /** Told now and then what time it is by the clock of the database (milliseconds since 1970). */
  follow?(time: number): void;
}

/** What may be new: lines of the log of all kernels, or who they are. */
export type Hint = Parameters<FleetStore['onHint']>[0];

/** What sharing a database takes, besides its rows. */
export interface Sharing extends SharingKernel {
  /** The number by which the others know that it lives: it holds a lock on it. */
  boot: number;
  /** Changes whenever the session broke that holds this lock. */
  sessions(): number;
  /** Calls back when there may be something new of this kind. A hint can get lost. */
  onHint(what: Hint, callback: () => void): void;
  /** Runs work while no other kernel runs such work. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface Database {
  /** The name of the database in errors and in the log; never with a password. */
  readonly name: string;
  readonly db: Db;
  /** SQL type of text that is compared byte by byte: ids, keys, timestamps. */
  readonly keyType: KeyType;
  readonly search: SearchIndex;
  /** A table of these values: `value`, and `place` in the list, from 0. */
  listed(values: readonly string[]): RawBuilder<{ value: string; place: number }>;
  /** Runs a procedure, where the database likes it best. */
  call<Args extends unknown[]>(procedure: Procedure<Args>, args: Args): Promise<void>;
  /** This kernel, where it shares the database with others. */
  readonly sharing?: Sharing | undefined;
  /** Copies the data before a migration to this version; returns the copy's path, or null where the database can't. */
  copyBefore(version: number): Promise<string | null>;
  /** Throws while it is not certain that this process alone owns the database, and that the database is the one it opened. */
  checkOwned(): void;
  /** Reads from the disk itself, where the database is a file. Throws where that cannot be read. */
  probe(): Promise<void>;
  /** Regular upkeep of the database's own files. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
