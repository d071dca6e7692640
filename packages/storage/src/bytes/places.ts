/** The places where bytes may lie: which one takes new ones, and how older ones are reached. */
import { join } from 'node:path';
import type { BytePlace } from '@chat-kernel/protocol';
import type { StorePlace } from '../database/engine.ts';
import { storageUnavailable } from '../database/unavailable.ts';
import type { Db, Folder } from '../tables/schema.ts';
import { ByteFiles } from './byte-files.ts';
import type { ByteStore } from './byte-store.ts';
import { PostgresChunks } from './postgres-chunks.ts';
import { S3Bytes } from './s3-bytes.ts';
import { S3Client, type S3Place } from './s3-client.ts';

/** Where the settings want bytes to lie. */
export interface BytesSetting {
  /** Takes new ones. */
  store: BytePlace;
  /** Null: none lie in S3. */
  s3: S3Place | null;
  /** Most bytes of the disk cache. */
  cache_bytes: number;
}

export const IN_DATA_DIR: BytesSetting = { store: 'data_dir', s3: null, cache_bytes: 0 };

/** Where a store is kept, with its bytes; SQLite holds none of them. */
export interface StoreHome extends StorePlace {
  /** Absent: in the data directory. */
  bytes?: BytesSetting | undefined;
}

/** The places of one kind of bytes. */
export class BytePlaces {
  readonly folder: Folder;
  readonly current: BytePlace;
  readonly files: ByteFiles;
  readonly #others: Partial<Record<BytePlace, ByteStore>>;

  constructor(folder: Folder, { data_dir, url, bytes = IN_DATA_DIR }: StoreHome, db: Db) {
    this.folder = folder;
    this.current = bytes.store;
    this.files = new ByteFiles(join(data_dir, folder));
    this.#others = {
      ...(url !== null && { postgres: new PostgresChunks(db) }),
      ...(bytes.s3 && { s3: new S3Bytes(folder, new S3Client(bytes.s3)) }),
    };
  }

  /** Whether bytes may lie elsewhere than in the data directory. */
  get areSeveral(): boolean {
    return Object.keys(this.#others).length > 0;
  }

  /** Whether some may lie where a network leads, which may be slow to say that it does not. */
  get areFar(): boolean {
    return this.#others.s3 !== undefined;
  }

  /** @throws KernelError storage_unavailable where the settings name no such place */
  of(store: BytePlace): ByteStore {
    const found = store === 'data_dir' ? this.files : this.#others[store];
    if (found !== undefined) return found;
    throw storageUnavailable(`these bytes lie in ${NAMES[store]}, which the settings do not name`);
  }
}

/** The places as people know them. */
export const NAMES: Readonly<Record<BytePlace, string>> = {
  data_dir: 'the data directory',
  postgres: 'Postgres',
  s3: 'S3',
};
