/** A kind of database: how one is opened, and how it is looked at from outside. */
import type { Log } from '@chat-kernel/kernel';
import type { Db } from '../tables/schema.ts';
import type { Database, SharingKernel } from './database.ts';

/** Where a store is kept. */
export interface StorePlace {
  /** Holds the SQLite database, and the bytes that lie nowhere else. */
  data_dir: string;
  /** The address of a database server; null: SQLite. */
  url: string | null;
  /** This kernel, where it shares the database with others (FLEET-1). Only a server takes several. */
  kernel?: SharingKernel | undefined;
}

export interface InspectedDatabase {
  /** Its name in errors and in the log; never with a password. */
  name: string;
  /** Bytes; null where the database does not say or is not there yet. */
  size: number | null;
  /** Version of its tables; null: nothing was ever kept in it. */
  schema: number | null;
  /** Whether a kernel uses it now. */
  in_use: boolean;
  /** The database's own description of its damage; null: it is sound. */
  damage: string | null;
}

/** A database as a backup sees it: read from outside, while a kernel may be at work in it. */
export interface ReadDatabase {
  /** Its name in errors; never with a password. */
  readonly name: string;
  /** Runs work on the data as they are at one moment, whatever is written meanwhile. One at a time. */
  snapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** @template Url what the address is: a server has one, a file has none */
export interface Engine<Url extends string | null> {
  /** @throws Error, a sentence, where it can't be opened or reached, or another kernel uses it */
  open(place: StorePlace & { url: Url }, log: Log): Database | Promise<Database>;
  /** Changes nothing. @throws Error, a sentence, where it can't be opened or reached */
  inspect(place: StorePlace & { url: Url }): Promise<InspectedDatabase>;
  /** Holds nobody up. @throws Error, a sentence, where it can't be opened or reached */
  read(place: StorePlace & { url: Url }): ReadDatabase | Promise<ReadDatabase>;
}
