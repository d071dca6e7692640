/** Copies the bytes of images and files into an archive while the kernel adds and removes some. */
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ByteBackends, bytesAt, type StoreHome } from '../bytes/backends.ts';
import { nameOnDisk } from '../bytes/byte-files.ts';
import { type BytesRow, findLocation } from '../bytes/locations.ts';
import type { Db, Folder } from '../tables/schema.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { FOLDERS, type Manifest, type Row } from './format.ts';
import { readPages } from './tables.ts';

type State = 'copied' | 'absent' | 'missing';

/**
 * Tracks which bytes the archive contains. It uses a nameless temporary database, which ends with the process, so that
 * memory stays small for any number of files.
 */
export class CopiedBytes {
  readonly #home: StoreHome;
  readonly #archive: ArchiveWriter;
  readonly #onFile: (copied: number) => void;
  readonly #known = new DatabaseSync('');
  readonly #counts: Manifest['bytes'] = {
    images: { count: 0, size: 0, missing: 0 },
    files: { count: 0, size: 0, missing: 0 },
  };

  constructor(home: StoreHome, archive: ArchiveWriter, onFile: (copied: number) => void) {
    this.#home = home;
    this.#archive = archive;
    this.#onFile = onFile;
    this.#known.exec(`
      pragma journal_mode = off;
      create table bytes (folder text, id text, state text, used integer, primary key (folder, id)) without rowid;
    `);
  }

  /**
   * Copies the bytes of all rows of a snapshot that are not in the archive yet. Returns false if some were removed
   * since the snapshot was taken: the archive then needs a newer snapshot. If the bytes of a row are missing in the
   * newer one as well, they are lost.
   */
  async catchUp(snapshot: Db): Promise<boolean> {
    this.#known.exec('update bytes set used = 0');
    let isCaughtUp = true;
    for (const folder of FOLDERS) {
      const places = new ByteBackends(folder, this.#home, snapshot);
      for await (const rows of readPages(snapshot, folder)) {
        for (const row of rows) if (!(await this.#take(places, row, snapshot))) isCaughtUp = false;
      }
    }
    return isCaughtUp;
  }

  /** Returns rows for the leftovers table: bytes in the archive that the last snapshot no longer has. */
  *leftovers(): Generator<Row> {
    const found = this.#known.prepare("select id, folder from bytes where state = 'copied' and used = 0");
    for (const { id, folder } of found.iterate()) yield { id: String(id), folder: String(folder) };
  }

  counts(): Manifest['bytes'] {
    for (const folder of FOLDERS) {
      const missing = this.#known.prepare(
        "select count(*) as count from bytes where folder = ? and state = 'missing' and used = 1",
      );
      this.#counts[folder].missing = Number(missing.get(folder)?.count);
    }
    return this.#counts;
  }

  close(): void {
    this.#known.close();
  }

  /** Returns false if the bytes are missing and it is not known yet whether the row is, too. */
  async #take(places: ByteBackends, row: Row, snapshot: Db): Promise<boolean> {
    const { folder } = places;
    const id = String(row.id);
    const known = this.#known.prepare('select state from bytes where folder = ? and id = ?').get(folder, id);
    const state = known?.state as State | undefined;
    if (state === undefined) {
      const name = folder === 'files' ? toDiskName(row) : undefined;
      const isThere = await this.#copy(places, { id, name }, await findLocation(snapshot, id));
      this.#note(folder, id, isThere ? 'copied' : 'absent');
      return isThere;
    }
    // The kernel deletes a row before its bytes, so a row without bytes was not deleted.
    this.#note(folder, id, state === 'absent' ? 'missing' : state);
    return true;
  }

  #note(folder: Folder, id: string, state: State): void {
    this.#known.prepare('insert or replace into bytes values (?, ?, ?, 1)').run(folder, id, state);
  }

  async #copy(
    places: ByteBackends,
    { id, name }: { id: string; name: string | undefined },
    row: BytesRow | undefined,
  ): Promise<boolean> {
    const { folder, files } = places;
    const bytes = await bytesAt(places, { id, name }, row);
    if (bytes === undefined) return false;
    try {
      const size = row?.size ?? (await stat(files.path(id, name))).size;
      // The same path as in the data directory, for all backends.
      await this.#archive.add(posix.join(folder, id.slice(0, 2), id, name ?? ''), size, bytes);
      const counts = this.#counts[folder];
      counts.count++;
      counts.size += size;
      this.#onFile(this.#counts.images.count + this.#counts.files.count);
    } finally {
      bytes.destroy();
    }
    return true;
  }
}

const toDiskName = ({ name, media_type }: Row): string =>
  nameOnDisk({ name: String(name), media_type: String(media_type) });
