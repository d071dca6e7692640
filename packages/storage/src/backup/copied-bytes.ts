/** The bytes of images and files on their way into an archive, while the kernel adds and removes some. */
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bytesAt } from '../bytes/direct.ts';
import { nameOnDisk } from '../bytes/name-on-disk.ts';
import { BytePlaces, type StoreHome } from '../bytes/places.ts';
import { type BytesRow, placeOfBytes } from '../bytes/where.ts';
import type { Db, Folder } from '../tables/schema.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { FOLDERS, type Manifest, type Row } from './format.ts';
import { pagesOf } from './tables.ts';

type State = 'copied' | 'absent' | 'missing';

/**
 * Knows which bytes the archive has: in a temporary database, which has no name and goes with the process, so that
 * memory stays small however many there are.
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
   * Copies the bytes of all rows of a snapshot that are not in the archive yet. False where some were removed since the
   * snapshot was taken: the archive then needs a newer snapshot. Rows whose bytes are gone in the newer one as well
   * have lost them.
   */
  async catchUp(snapshot: Db): Promise<boolean> {
    this.#known.exec('update bytes set used = 0');
    let isCaughtUp = true;
    for (const folder of FOLDERS) {
      const places = new BytePlaces(folder, this.#home, snapshot);
      for await (const rows of pagesOf(snapshot, folder)) {
        for (const row of rows) if (!(await this.#take(places, row, snapshot))) isCaughtUp = false;
      }
    }
    return isCaughtUp;
  }

  /** Rows of the table of leftovers: what the archive has, and the last snapshot no longer does. */
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

  /** False where the bytes are gone, and it is not known yet whether the row is too. */
  async #take(places: BytePlaces, row: Row, snapshot: Db): Promise<boolean> {
    const { folder } = places;
    const id = String(row.id);
    const known = this.#known.prepare('select state from bytes where folder = ? and id = ?').get(folder, id);
    const state = known?.state as State | undefined;
    if (state === undefined) {
      const name = folder === 'files' ? nameOf(row) : undefined;
      const isThere = await this.#copy(places, { id, name }, await placeOfBytes(snapshot, id));
      this.#note(folder, id, isThere ? 'copied' : 'absent');
      return isThere;
    }
    // The kernel removes a row before its bytes: a row that outlives them was not removed.
    this.#note(folder, id, state === 'absent' ? 'missing' : state);
    return true;
  }

  #note(folder: Folder, id: string, state: State): void {
    this.#known.prepare('insert or replace into bytes values (?, ?, ?, 1)').run(folder, id, state);
  }

  async #copy(
    places: BytePlaces,
    { id, name }: { id: string; name: string | undefined },
    row: BytesRow | undefined,
  ): Promise<boolean> {
    const { folder, files } = places;
    const bytes = await bytesAt(places, { id, name }, row);
    if (bytes === undefined) return false;
    try {
      const size = row?.size ?? (await stat(files.path(id, name))).size;
      // As in the data directory, wherever they lie.
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

const nameOf = ({ name, media_type }: Row): string =>
  nameOnDisk({ name: String(name), media_type: String(media_type) });
