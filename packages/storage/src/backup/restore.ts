/** Restores an archive into an empty directory and an empty database (SAFE-1). */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@chat-kernel/kernel';
import { ByteBackends, IN_DATA_DIR, type StoreHome } from '../bytes/backends.ts';
import { syncDirectory } from '../bytes/byte-files.ts';
import { HashingStream } from '../bytes/byte-store.ts';
import { noteBytes, reserveLocation } from '../bytes/locations.ts';
import { sqlitePath } from '../database/database-file.ts';
import { lockDirectory } from '../database/directory-lock.ts';
import { openDatabase } from '../database/engines.ts';
import { StoreError } from '../database/store-error.ts';
import { markUsed, UNFINISHED_RESTORE } from '../database/used-before.ts';
import { isTooOld, makeTables, SCHEMA_VERSION, TOO_OLD } from '../migrations/migrate.ts';
import { PUSH_KEY, writePushKey } from '../push/push-key.ts';
import { rebuildIndex } from '../search/rebuilt-index.ts';
import type { Db, Folder } from '../tables/schema.ts';
import { type ArchivePart, readArchive } from './archive-reader.ts';
import type { ArchiveSummary, Progress } from './backup.ts';
import { FOLDERS, type Head, type Manifest, type Row } from './format.ts';

interface RestoreOptions {
  file: string;
  log: Log;
  onProgress: (progress: Progress) => void;
}

/** Names that an empty directory may contain: the lock, files of the file system, and an interrupted restore. */
const NOTHING: readonly string[] = ['chat-kernel.lock', 'lost+found', UNFINISHED_RESTORE];
/** The first version of the tables with backends other than the data directory. */
export const PLACES_SINCE = 21;
/** Rows per insert. */
const STEP = 50;

/**
 * Collects everything in a folder inside of the directory, and renames it at the end: a kernel does not start with an
 * incomplete restore.
 * @throws StoreError if the directory or the database is in use or was used, or if the archive is damaged or newer
 */
export async function restoreStore(place: StoreHome, options: RestoreOptions): Promise<ArchiveSummary> {
  const { file, log } = options;
  const parts = readArchive(file);
  const head = await readHead(parts);
  await mkdir(place.data_dir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(place.data_dir);
  try {
    await refuseFilled(place.data_dir);
    const aside = join(place.data_dir, UNFINISHED_RESTORE);
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { mode: 0o700 });
    let manifest: Manifest;
    try {
      manifest = await gather(place, aside, { ...options, head, parts, log });
    } catch (error) {
      await undo(place.data_dir);
      throw error;
    }
    await finish(place, aside);
    return { head, manifest };
  } finally {
    lock.release();
  }
}

/** @throws StoreError if a newer program created the archive, or one from before the first release */
async function readHead(parts: AsyncGenerator<ArchivePart>): Promise<Head> {
  const { value: first } = await parts.next();
  if (first?.kind !== 'head') throw new Error('An archive begins with its head.');
  const { schema } = first.head;
  if (isTooOld(schema)) throw new StoreError(`The backup ${TOO_OLD}`);
  if (schema <= SCHEMA_VERSION) return first.head;
  throw new StoreError(
    `The backup has schema version ${schema}, and this chat-kernel knows versions up to ${SCHEMA_VERSION}: ` +
      'use the newer chat-kernel that made it.',
  );
}

async function refuseFilled(directory: string): Promise<void> {
  const there = (await readdir(directory)).filter(name => !NOTHING.includes(name));
  if (there.length === 0) return;
  throw new StoreError(
    `${directory} is not empty (${there.slice(0, 3).join(', ')}${there.length > 3 ? ', …' : ''}): a backup is restored ` +
      'into a new or empty directory. Name another one with --data, or move what is there away.',
  );
}

interface Restoring extends RestoreOptions {
  head: Head;
  parts: AsyncGenerator<ArchivePart>;
}

async function gather(
  home: StoreHome,
  aside: string,
  { head, parts, log, onProgress }: Restoring,
): Promise<Manifest> {
  const { data_dir, url } = home;
  const database = await openDatabase({ data_dir: aside, url }, log);
  const bytes = new RestoredBytes({ ...home, data_dir: aside, bytes: selectByteSetting(home, head) });
  try {
    return await database.db.transaction().execute(async db => {
      await makeTables(db, database, head.schema);
      const loaded = await load(db, aside, { parts, bytes, onProgress });
      const total = (loaded.tables.messages ?? 0) + (loaded.tables.book_parts ?? 0);
      await rebuildIndex(db, database.search, done => {
        onProgress({ doing: 'search index', done, total: Math.max(done, total) });
      });
      // A server's database is complete when this transaction ends, so the bytes must be stored before.
      await place(aside, data_dir, url === null ? `The database ${sqlitePath(data_dir)}` : database.name);
      return loaded;
    });
  } catch (error) {
    await bytes.undo();
    throw error;
  } finally {
    await database.close();
  }
}

/** The tables of older versions support only the data directory. */
const selectByteSetting = ({ bytes }: StoreHome, { schema }: Head) =>
  schema < PLACES_SINCE ? IN_DATA_DIR : bytes;

/** If this fails, the folder stays, and a kernel detects the unfinished restore. */
async function finish({ data_dir, url }: StoreHome, aside: string): Promise<void> {
  if (url === null) await rename(sqlitePath(aside), sqlitePath(data_dir));
  await syncDirectory(data_dir);
  // From now on a kernel may start.
  await rm(aside, { recursive: true });
  await syncDirectory(data_dir);
}

/** Returns the manifest after everything was verified against it. */
async function load(
  db: Db,
  aside: string,
  { parts, bytes, onProgress }: Pick<Restoring, 'parts' | 'onProgress'> & { bytes: RestoredBytes },
): Promise<Manifest> {
  let files = 0;
  const rows = new Map<string, number>();
  for await (const part of parts) {
    if (part.kind === 'end') return part.manifest;
    if (part.kind === 'bytes') {
      await bytes.put(db, part);
      onProgress({ doing: 'files', done: ++files, total: files });
    }
    if (part.kind === PUSH_KEY) writePushKey(aside, part.text);
    if (part.kind === 'table') {
      await insert(db, part.table, part.rows);
      const done = (rows.get(part.table) ?? 0) + part.rows.length;
      rows.set(part.table, done);
      onProgress({ doing: part.table, done, total: done });
    }
  }
  throw new Error('An archive ends with its manifest.');
}

async function insert(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  for (let start = 0; start < rows.length; start += STEP) {
    try {
      await db
        .insertInto(table as 'meta')
        .values(rows.slice(start, start + STEP) as never)
        .execute();
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new StoreError(`The table ${table} of the backup can't be restored: ${reason}.`, { cause });
    }
  }
}

/** Moves the bytes to their final location, and marks the directory as used with the database of this name. */
async function place(aside: string, data_dir: string, database: string): Promise<void> {
  const there = await readdir(aside);
  for (const name of [...FOLDERS, PUSH_KEY]) {
    if (there.includes(name)) await rename(join(aside, name), join(data_dir, name));
  }
  markUsed(data_dir, database);
}

/** Empties the directory again. */
async function undo(data_dir: string): Promise<void> {
  for (const name of await readdir(data_dir)) {
    if (name === 'chat-kernel.lock' || name === 'lost+found') continue;
    await rm(join(data_dir, name), { recursive: true, force: true });
  }
}

/** Writes the bytes of an archive to the configured backend. */
class RestoredBytes {
  readonly #home: StoreHome;
  /** Bytes outside of the directory and the database. An undo of a restore must remove them explicitly. */
  readonly #sent: { folder: Folder; id: string }[] = [];
  #places: Record<Folder, ByteBackends> | undefined;

  constructor(home: StoreHome) {
    this.#home = home;
  }

  async put(db: Db, { folder, id, name, content }: ArchivePart & { kind: 'bytes' }): Promise<void> {
    this.#places ??= {
      images: new ByteBackends('images', this.#home, db),
      files: new ByteBackends('files', this.#home, db),
    };
    const places = this.#places[folder];
    const { current: store } = places;
    if (store === 'data_dir') {
      await places.files.write(id, content, { name });
      return;
    }
    await reserveLocation(db, { id, folder, store });
    if (store === 's3') this.#sent.push({ folder, id });
    const counted = new HashingStream(content);
    const size = await places.of(store).write(id, counted, { name });
    await noteBytes(db, id, { size, sha256: counted.sum() });
  }

  /** Removes what a failed restore has sent, as far as possible. */
  async undo(): Promise<void> {
    for (const { folder, id } of this.#sent) {
      const isAway = await this.#places?.[folder]
        .of('s3')
        .remove(id)
        .then(
          () => false,
          () => true,
        );
      if (isAway) return;
    }
  }
}
