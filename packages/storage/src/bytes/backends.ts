/** The backends for bytes: selects the one for new bytes, and gives access to all others. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BytePlace } from '@chat-kernel/protocol';
import type { StorePlace } from '../database/engine.ts';
import { storageUnavailable } from '../database/unavailable.ts';
import type { Db, Folder } from '../tables/schema.ts';
import { ByteFiles } from './byte-files.ts';
import type { ByteStore } from './byte-store.ts';
import type { BytesRow } from './locations.ts';
import { PostgresChunks } from './postgres-chunks.ts';
import { S3Bytes } from './s3-bytes.ts';
import { S3Client, type S3Place } from './s3-client.ts';

export interface BytesSetting {
  /** The backend for new bytes. */
  store: BytePlace;
  /** Null: S3 is not used. */
  s3: S3Place | null;
  /** Maximum bytes of the disk cache. */
  cache_bytes: number;
}

export const IN_DATA_DIR: BytesSetting = { store: 'data_dir', s3: null, cache_bytes: 0 };

/** The location of a store and of its bytes; with SQLite, none are in the database. */
export interface StoreHome extends StorePlace {
  /** Absent: in the data directory. */
  bytes?: BytesSetting | undefined;
}

/** The backends for one kind of bytes. */
export class ByteBackends {
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

  /** True if bytes may be in other backends than the data directory. */
  get areSeveral(): boolean {
    return Object.keys(this.#others).length > 0;
  }

  /** True if some bytes may be in a network backend, which may be slow to report failures. */
  get areFar(): boolean {
    return this.#others.s3 !== undefined;
  }

  /** @throws KernelError storage_unavailable if the settings lack this backend */
  of(store: BytePlace): ByteStore {
    const found = store === 'data_dir' ? this.files : this.#others[store];
    if (found !== undefined) return found;
    throw storageUnavailable(`these bytes lie in ${NAMES[store]}, which the settings do not name`);
  }
}

/** Names of the backends for users. */
export const NAMES: Readonly<Record<BytePlace, string>> = {
  data_dir: 'the data directory',
  postgres: 'Postgres',
  s3: 'S3',
};

/**
 * Returns all bytes; undefined if they are missing. The caller must end the stream.
 * @param row absent: in the data directory
 */
export async function bytesAt(
  places: ByteBackends,
  { id, name }: { id: string; name: string | undefined },
  row: Pick<BytesRow, 'store' | 'size'> | undefined,
): Promise<Readable | undefined> {
  const { store, size } = row ?? { store: 'data_dir', size: null };
  // An empty range cannot be requested.
  if (store !== 'data_dir' && size === 0) return Readable.from([]);
  return await places.of(store).stream(id, name);
}
