/** The bytes of images: one file each, under the first two characters of its id, and durable once written. */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids are made by the kernel, but they also arrive in URLs: only what is a UUID may become a path. */
export const isImageId = (id: string): boolean => UUID.test(id);

export class ImageFiles {
  readonly #directory: string;

  /** `directory` is made when the first image is. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when the bytes, and the name of their file, have reached the disk. */
  async write(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(id);
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = `${path}.part`;
    const file = await open(part, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    await syncDirectory(folder);
    if (made !== undefined) {
      await syncDirectory(this.#directory);
      await syncDirectory(dirname(this.#directory));
    }
  }

  /** Undefined where there is no such file. */
  async read(id: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#path(id));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Removes the file, whole or half written, if there is one. */
  async remove(id: string): Promise<void> {
    const path = this.#path(id);
    await rm(path, { force: true });
    await rm(`${path}.part`, { force: true });
  }

  #path(id: string): string {
    if (!isImageId(id)) throw new Error('An image id must be a UUID in lower case.');
    return join(this.#directory, id.slice(0, 2), id);
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
