/** Moves the bytes of files and images from their backends to one backend, while no kernel runs (FLEET-5). */
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Log } from '@chat-kernel/kernel';
import type { BytePlace } from '@chat-kernel/protocol';
import { ByteBackends, bytesAt, NAMES, type StoreHome } from '../bytes/backends.ts';
import { nameOnDisk } from '../bytes/byte-files.ts';
import { HashingStream } from '../bytes/byte-store.ts';
import {
  type BytesRow,
  deleteLocation,
  findLocation,
  noteBytes,
  reserveLocation,
} from '../bytes/locations.ts';
import type { Database } from '../database/database.ts';
import { sqlitePath } from '../database/database-file.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import { openDatabase } from '../database/engines.ts';
import { StoreError } from '../database/store-error.ts';
import { refuseMissingFile, refuseUnfinishedRestore } from '../database/used-before.ts';
import { SCHEMA_VERSION, schemaVersion } from '../migrations/migrate.ts';
import type { Db, Folder } from '../tables/schema.ts';
import type { Progress } from './backup.ts';
import { FOLDERS, type Row } from './format.ts';
import { countRows, readPages } from './tables.ts';

interface MoveOptions {
  to: BytePlace;
  log: Log;
  onProgress: (progress: Progress) => void;
}

export interface MoveSummary {
  /** The number of moved files and their bytes. */
  moved: number;
  bytes: number;
  /** The number of files in no backend that was searched, for example in the data directory of another kernel. */
  missing: number;
  /** Ids of files whose content has changed since they were stored; they are not moved. */
  damaged: string[];
}

/**
 * Continues where an earlier run was interrupted. Bytes are removed from the old backend only after their copy is
 * durable, was read back, and is recorded in its row.
 * @throws StoreError if a kernel runs, or if the settings lack a backend
 */
export async function moveBytes(home: StoreHome, options: MoveOptions): Promise<MoveSummary> {
  const { data_dir, url, bytes } = home;
  const { to } = options;
  if (to !== 'data_dir' && url === null)
    throw new StoreError('With SQLite, files and images lie in the data directory: set database.url first.');
  if (to === 's3' && !bytes?.s3) throw new StoreError('The settings name no S3: set files.store.s3.');
  if (!existsSync(data_dir)) throw new StoreError(`The data directory ${data_dir} is not there.`);
  const lock = lockDirectory(data_dir);
  let database: Database | undefined;
  try {
    refuseUnfinishedRestore(data_dir);
    if (url === null) refuseMissingFile(data_dir, sqlitePath(data_dir));
    database = await openDatabase({ data_dir, url }, options.log);
    await refuseOtherSchema(database);
    return await moveAll(home, database.db, options);
  } finally {
    await database?.close();
    lock.release();
  }
}

async function refuseOtherSchema(database: Database): Promise<void> {
  const found = await schemaVersion(database);
  if (found === SCHEMA_VERSION) return;
  throw new StoreError(
    `${database.name} has schema version ${found}, and this chat-kernel moves files of version ${SCHEMA_VERSION}: ` +
      'use the chat-kernel that it runs with, or start this one once.',
  );
}

async function moveAll(home: StoreHome, db: Db, { to, onProgress }: MoveOptions): Promise<MoveSummary> {
  const summary: MoveSummary = { moved: 0, bytes: 0, missing: 0, damaged: [] };
  for (const folder of FOLDERS) {
    const mover = new Mover(new ByteBackends(folder, home, db), db, to);
    const total = await countRows(db, folder);
    let done = 0;
    for await (const rows of readPages(db, folder)) {
      for (const row of rows) {
        const { id, name, size } = toFileFacts(folder, row);
        const outcome = await mover.move(id, name, size);
        if (outcome === 'missing') summary.missing++;
        else if (outcome === 'damaged') summary.damaged.push(id);
        else if (outcome !== 'there') {
          summary.moved++;
          summary.bytes += outcome.bytes;
        }
        onProgress({ doing: folder, done: ++done, total: Math.max(done, total) });
      }
    }
  }
  return summary;
}

/** Images have no name, and their rows do not contain their size. */
const toFileFacts = (folder: Folder, { id, name, media_type, size }: Row) => ({
  id: String(id),
  name: folder === 'files' ? nameOnDisk({ name: String(name), media_type: String(media_type) }) : undefined,
  size: folder === 'files' ? Number(size) : undefined,
});

type Outcome = 'there' | 'missing' | 'damaged' | { bytes: number };

/** Moves the bytes of one kind one at a time. */
class Mover {
  readonly #places: ByteBackends;
  readonly #db: Db;
  readonly #to: BytePlace;

  constructor(places: ByteBackends, db: Db, to: BytePlace) {
    this.#places = places;
    this.#db = db;
    this.#to = to;
  }

  async move(id: string, name: string | undefined, wanted: number | undefined): Promise<Outcome> {
    const to = this.#to;
    const row = await findLocation(this.#db, id);
    const from = row?.store ?? 'data_dir';
    if (from === to) {
      await this.#removeOther(id, row);
      return 'there';
    }
    const source = await bytesAt(this.#places, { id, name }, row);
    if (source === undefined) return 'missing';
    try {
      return await this.#copy(source, { id, name, wanted }, row);
    } finally {
      source.destroy();
    }
  }

  /** @param wanted expected size; absent if unknown */
  async #copy(
    source: Readable,
    { id, name, wanted }: { id: string; name: string | undefined; wanted: number | undefined },
    row: BytesRow | undefined,
  ): Promise<Outcome> {
    const to = this.#to;
    const from = row?.store ?? 'data_dir';
    const { folder } = this.#places;
    await this.#db.transaction().execute(async db => {
      await reserveLocation(db, { id, folder, store: from });
      // From here on, a crash leaves no unrecorded bytes.
      await noteBytes(db, id, { also: to });
    });
    const counted = new HashingStream(source);
    const place = this.#places.of(to);
    await place.remove(id);
    const size = await place.write(id, counted, {
      name,
      onUpload: upload => noteBytes(this.#db, id, { upload }),
    });
    const sha256 = counted.sum();
    if (size !== (row?.size ?? wanted ?? size) || sha256 !== (row?.sha256 ?? sha256)) {
      await place.remove(id);
      await noteBytes(this.#db, id, { also: null });
      return 'damaged';
    }
    await this.#prove(id, name, { size, sha256 });
    await noteBytes(this.#db, id, { store: to, also: from, upload: null, size, sha256 });
    await this.#removeOther(id, { ...row, also: from });
    return { bytes: size };
  }

  /** @throws StoreError if the stored bytes differ from the sent ones */
  async #prove(id: string, name: string | undefined, sent: { size: number; sha256: string }): Promise<void> {
    const copy = await bytesAt(this.#places, { id, name }, { store: this.#to, size: sent.size });
    const read = new HashingStream(copy ?? new Uint8Array());
    for await (const _ of read);
    if (copy !== undefined && read.size === sent.size && read.sum() === sent.sha256) return;
    throw new StoreError(
      `${NAMES[this.#to]} does not give back what was written to it (${id}); nothing was removed from where it was.`,
    );
  }

  /** Removes the second copy that the row names. */
  async #removeOther(id: string, row: Partial<Pick<BytesRow, 'also' | 'upload'>> | undefined): Promise<void> {
    if (!row?.also) return;
    if (row.also !== this.#to) await this.#places.of(row.also).remove(id, row.upload);
    if (this.#to === 'data_dir') await deleteLocation(this.#db, id);
    else await noteBytes(this.#db, id, { also: null, upload: null });
  }
}
