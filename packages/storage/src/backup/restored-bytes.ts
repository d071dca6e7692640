/** The bytes of an archive on their way to where the settings want them. */
import { Counted } from '../bytes/counted.ts';
import { BytePlaces, type StoreHome } from '../bytes/places.ts';
import { announceBytes, noteBytes } from '../bytes/where.ts';
import type { Db, Folder } from '../tables/schema.ts';
import type { ArchivePart } from './archive-reader.ts';

export class RestoredBytes {
  readonly #home: StoreHome;
  /** What lies outside of the directory and the database, which both undo a restore by themselves. */
  readonly #sent: { folder: Folder; id: string }[] = [];
  #places: Record<Folder, BytePlaces> | undefined;

  constructor(home: StoreHome) {
    this.#home = home;
  }

  async put(db: Db, { folder, id, name, content }: ArchivePart & { kind: 'bytes' }): Promise<void> {
    this.#places ??= {
      images: new BytePlaces('images', this.#home, db),
      files: new BytePlaces('files', this.#home, db),
    };
    const places = this.#places[folder];
    const { current: store } = places;
    if (store === 'data_dir') {
      await places.files.write(id, content, { name });
      return;
    }
    await announceBytes(db, { id, folder, store });
    if (store === 's3') this.#sent.push({ folder, id });
    const counted = new Counted(content);
    const size = await places.of(store).write(id, counted, { name });
    await noteBytes(db, id, { size, sha256: counted.sum() });
  }

  /** Removes what a restore that failed has sent, as far as it can. */
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
