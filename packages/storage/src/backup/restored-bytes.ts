/** Writes the bytes of an archive to the configured backend. */

import { ByteBackends, type StoreHome } from '../bytes/backends.ts';
import { HashingStream } from '../bytes/byte-store.ts';
import { noteBytes, reserveLocation } from '../bytes/locations.ts';
import type { Db, Folder } from '../tables/schema.ts';
import type { ArchivePart } from './archive-reader.ts';

export class RestoredBytes {
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
